import type { SourceView } from '../../../src-shared/domain/catalog/catalog-state'
import type { RegistryFault } from '../../../src-shared/domain/catalog/catalog-sync'
import { counted, formatMoment } from './elapsed'

/** The host of a registry's address. */
export function hostOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl
}

/** How much a registry lists, since when, and what of it could not be read, `now` in epoch ms: `1,284 servers, fresh 5 min ago`. */
export function listedText(source: SourceView, now: number): string {
  const { leftOut } = source
  if (leftOut === 0) return heldText(source, now)
  const were = leftOut === 1 ? 'was' : 'were'
  const entries = counted(leftOut, 'entry', 'entries')
  return `${heldText(source, now)}; ${entries} could not be read and ${were} left out`
}

function heldText({ servers, completedAt }: SourceView, now: number): string {
  const count = counted(servers, 'server')
  if (completedAt !== undefined) return `${count}, fresh ${formatMoment(completedAt, now)}`
  return servers === 0 ? 'Not fetched yet' : `${count}, fetched in part`
}

/** Why a registry could not be asked; what a person stopped is no fault. */
export function faultOf({ fault }: SourceView): RegistryFault | undefined {
  return fault?.code === 'cancelled' ? undefined : fault
}
