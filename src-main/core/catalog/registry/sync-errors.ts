import type { RegistryFault } from '../../../../src-shared/domain/catalog/catalog-sync'
import { damageOf, isFileError } from '../../sqlite/file-damage'
import { RegistryError, storeFault } from './registry-fault'

/** Whether a registry understood, and does not do what it was asked for. */
export function isRefusal(error: unknown): error is RegistryError {
  return error instanceof RegistryError && [400, 404, 422].includes(error.status ?? 0)
}

/** Whether a registry answered that it failed by itself. */
export function isBreakdown(error: unknown): boolean {
  return error instanceof RegistryError && (error.status ?? 0) >= 500
}

/** The fault of a sync; rethrows what is no fault of a registry or of a disk: a damaged file is for its owner to mend. */
export function faultOfError(error: unknown): RegistryFault {
  if (error instanceof RegistryError) return error.fault
  if (isFileError(error) && damageOf(error) !== 'corrupt') return storeFault(error)
  throw error
}
