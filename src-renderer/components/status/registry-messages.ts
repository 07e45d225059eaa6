import type { SourceView } from '../../../src-shared/domain/catalog/catalog-state'
import type { RegistryFault } from '../../../src-shared/domain/catalog/catalog-sync'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { counted, formatAgo } from '../../ui/text/format'

/** Returns the host of a registry's address. */
export function hostOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl
}

/**
 * Returns the number of listed servers, the list's age and the number of ignored entries: `1,284 servers, updated 5 min ago`. `now` is
 * epoch ms.
 */
export function listedText(source: SourceView, now: number): string {
  const { leftOut } = source
  if (leftOut === 0) return cachedText(source, now)
  const entries = counted(leftOut, 'invalid entry', 'invalid entries')
  return `${cachedText(source, now)}, ${entries} ignored`
}

function cachedText({ servers, completedAt }: SourceView, now: number): string {
  const count = counted(servers, 'server')
  if (completedAt !== undefined) return `${count}, updated ${formatAgo(completedAt, now)}`
  return servers === 0 ? 'Not synced yet' : `${count}, partly synced`
}

/** Returns the error of a registry; undefined for a request that the user canceled. */
export function faultOf({ fault }: SourceView): RegistryFault | undefined {
  return fault?.code === 'cancelled' ? undefined : fault
}

type RegistryStatusView = NonNullable<ServerView['registryStatus']>

const STATUS_TEXTS: Readonly<
  Record<RegistryStatusView['status'], { readonly title: string; readonly text: string }>
> = {
  deleted: {
    title: 'The registry deleted this server.',
    text: 'Registries delete spam, malware, and entries that publishers withdraw. Stop the server unless you know why.',
  },
  unlisted: {
    title: 'The registry no longer lists this server.',
    text: 'The entry may have been deleted. Find out why before you keep using the server.',
  },
  deprecated: {
    title: 'The publisher no longer maintains this server.',
    text: 'The server still works but gets no fixes.',
  },
}

/** Returns the registry's warning about the entry of a server: a title and what to do. */
export function registryStatusMessage({ status, statusMessage }: RegistryStatusView): {
  readonly title: string
  readonly text: string
} {
  const messageText = statusMessage === undefined ? '' : ` Message: “${statusMessage}”`
  const { title, text } = STATUS_TEXTS[status]
  return { title, text: `${text}${messageText}` }
}
