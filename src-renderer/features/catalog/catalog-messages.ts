import type { CatalogPage } from '../../../src-shared/domain/catalog/catalog-query'
import type { CatalogState, SourceView } from '../../../src-shared/domain/catalog/catalog-state'
import type { RegistryFault, SyncProgress } from '../../../src-shared/domain/catalog/catalog-sync'
import { faultOf, hostOf } from '../../components/status/registry-messages'
import { counted, formatAgo, formatList, formatWhole, problemText } from '../../ui/text/format'
import { visibleText } from '../../ui/text/untrusted-text'

/** The catalog's notice above its list, with one action. */
export type CatalogNotice = {
  readonly severity: 'info' | 'warn'
  readonly title: string
  readonly text: string
  /** `details` shows the problem of each registry. */
  readonly action: 'sync' | 'cancel' | 'settings' | 'details'
}

/** Returns which similar terms were searched for, and whether any server has the typed one. */
export function correctionText({ typed, taken, has }: CatalogPage['corrections'][number]): string {
  const quoted = (word: string): string => `“${visibleText(word)}”`
  if (taken.length === 0) return `No server has ${quoted(typed)}.`
  const others = taken.slice(0, 3).map(quoted).join(', ')
  return has === 0
    ? `No results for ${quoted(typed)}. Showing ${others}.`
    : `Also showing ${others} for ${quoted(typed)}.`
}

/** Returns the progress of a sync: "37 pages, 3,700 entries, 12 s". */
export function progressText({ pages, entries, elapsedMs }: SyncProgress): string {
  if (pages === 0) return 'waiting for the first page'
  const parts = [counted(pages, 'page'), counted(entries, 'entry', 'entries')]
  return [...parts, formatWhole(elapsedMs)].join(', ')
}

function startersText({ starters }: CatalogState): string {
  return counted(starters, 'starter server', 'starter servers')
}

/** Returns the age of the catalog for the bar; empty before it opens. */
export function freshnessText({ sources, servers }: CatalogState, now: number): string {
  if (servers === undefined) return ''
  const followed = sources.filter(({ enabled }) => enabled)
  const oldest = Math.min(...followed.map(({ completedAt = 0 }) => completedAt))
  const count = counted(servers, 'server')
  if (!Number.isFinite(oldest) || oldest === 0) return count
  return `${count}, updated ${formatAgo(oldest, now)}`
}

/** Returns the notice above the list; undefined if there is no problem. */
export function catalogNotice(catalog: CatalogState, now: number): CatalogNotice | undefined {
  const { sources, servers, progress } = catalog
  if (servers === undefined) return undefined
  const followed = sources.filter(({ enabled }) => enabled)
  if (followed.length === 0) {
    return {
      severity: 'info',
      title: 'Registry sync is off.',
      text: `Showing the ${startersText(catalog)} included with Patchbay.`,
      action: 'settings',
    }
  }
  const isFirst = followed.some(({ completedAt }) => completedAt === undefined)
  if (progress) {
    if (!isFirst) return undefined
    const of = followed.find(({ sourceId }) => sourceId === progress.sourceId)
    return {
      severity: 'info',
      title: `Syncing ${of ? hostOf(of.baseUrl) : 'the registry'}.`,
      // Screen readers announce each change of the notice, so the bar shows the progress instead.
      text: 'You can already search the servers received.',
      action: 'cancel',
    }
  }
  return (
    faultLine(catalog, followed, now) ?? (isFirst ? unfetchedLine(catalog, followed) : undefined)
  )
}

function faultLine(
  catalog: CatalogState,
  followed: CatalogState['sources'],
  now: number,
): CatalogNotice | undefined {
  const failed = followed.filter((source) => faultOf(source) !== undefined)
  const [first] = failed
  const fault = first && faultOf(first)
  if (!first || !fault) return undefined
  return followed.length === 1
    ? onlyFaultLine(catalog, first, fault, now)
    : severalFaultsLine(failed, followed)
}

function severalFaultsLine(
  failed: readonly SourceView[],
  followed: CatalogState['sources'],
): CatalogNotice {
  const isAll = failed.length === followed.length
  const hosts = formatList(failed.map(({ baseUrl }) => hostOf(baseUrl)))
  const hasCached = failed.some(({ servers }) => servers > 0)
  return {
    severity: 'warn',
    title: isAll
      ? `Can’t sync any of ${followed.length} registries.`
      : `Can’t sync ${failed.length} of ${followed.length} registries.`,
    text: hasCached ? `Showing the last results from ${hosts}.` : `No results from ${hosts} yet.`,
    action: 'details',
  }
}

function onlyFaultLine(
  catalog: CatalogState,
  { completedAt }: SourceView,
  fault: RegistryFault,
  now: number,
): CatalogNotice {
  const why = problemText(fault)
  if (completedAt !== undefined) {
    const title = `Showing the catalog synced ${formatAgo(completedAt, now)}.`
    return { severity: 'warn', title, text: why, action: 'sync' }
  }
  const listed = (catalog.servers ?? 0) - catalog.starters
  const some = listed > 0 ? ` and ${counted(listed, 'server')} from the registry` : ''
  const isOffline = ['unreachable', 'timed-out', 'cut-off'].includes(fault.code)
  const title = `${isOffline ? 'Offline: showing' : 'Showing'} ${startersText(catalog)}${some}.`
  return { severity: 'warn', title, text: why, action: 'sync' }
}

function unfetchedLine(catalog: CatalogState, followed: CatalogState['sources']): CatalogNotice {
  const isHalf = followed.some(({ waitingPages }) => waitingPages > 0)
  return {
    severity: 'info',
    title: isHalf ? 'Sync incomplete.' : `Showing ${startersText(catalog)}.`,
    text: isHalf ? 'Sync continues where it stopped.' : 'Sync the registry to see all servers.',
    action: 'sync',
  }
}
