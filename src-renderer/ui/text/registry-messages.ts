import type { SourceView } from '../../../src-shared/domain/catalog/catalog-state'
import type { RegistryFault } from '../../../src-shared/domain/catalog/catalog-sync'
import { counted, formatMoment } from './format'

/** The host of a registry's address. */
export function hostOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl
}

/** How much a registry lists, since when, and what of it could not be read, `now` in epoch ms: `1,284 servers, updated 5 min ago`. */
export function listedText(source: SourceView, now: number): string {
  const { leftOut } = source
  if (leftOut === 0) return heldText(source, now)
  const entries = counted(leftOut, 'invalid entry', 'invalid entries')
  return `${heldText(source, now)}, ${entries} ignored`
}

function heldText({ servers, completedAt }: SourceView, now: number): string {
  const count = counted(servers, 'server')
  if (completedAt !== undefined) {
    const moment = formatMoment(completedAt, now)
    return `${count}, updated ${moment === 'now' ? 'just now' : moment}`
  }
  return servers === 0 ? 'Not synced yet' : `${count}, partly synced`
}

/** Why a registry could not be asked; what a user stopped is no fault. */
export function faultOf({ fault }: SourceView): RegistryFault | undefined {
  return fault?.code === 'cancelled' ? undefined : fault
}
