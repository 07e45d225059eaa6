import type { SourceStatus } from '../../../src-shared/domain/catalog/catalog-query'
import { listedKey, OFFICIAL_SOURCE } from '../../../src-shared/domain/catalog/listed-ref'
import type { Installation } from '../../../src-shared/domain/installation/installation'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { hasVersions, isNewer } from '../updates/newer-version'
import { registryEntryId } from './entry-of-document'

type Listed = Pick<Installation, 'source' | 'sourceId' | 'server'>

/** What the registries say of the servers that are installed, each of its own registry alone. */
export class RegistryStatus {
  #statuses: ReadonlyMap<string, SourceStatus> = new Map()

  /** Takes over what was read; gives the names of those that stand otherwise than before. */
  replace(statuses: readonly SourceStatus[]): Set<string> {
    const before = this.#statuses
    this.#statuses = new Map(statuses.map((one) => [listedKey(one), one]))
    const texts = (all: ReadonlyMap<string, SourceStatus>, key: string): string =>
      JSON.stringify(all.get(key) ?? null)
    const keys = new Set([...before.keys(), ...this.#statuses.keys()])
    const changed = [...keys].filter((key) => texts(before, key) !== texts(this.#statuses, key))
    return new Set(changed.map((key) => (this.#statuses.get(key) ?? before.get(key))?.name ?? ''))
  }

  get list(): SourceStatus[] {
    return [...this.#statuses.values()]
  }

  /** Why an installation needs a look; undefined where its registry has nothing against it. */
  warningOf(installation: Listed): ServerView['registryStatus'] {
    const found = this.#find(installation)
    if (found === undefined || found.status === 'active') return undefined
    const { status, statusMessage } = found
    // What was pasted or came with Patchbay need not be in any registry.
    if (status === 'unlisted' && installation.source !== 'registry') return undefined
    return { status, ...(statusMessage === undefined ? {} : { statusMessage }) }
  }

  /** The newest version that the registry lists, where it is newer than the one installed. */
  updateOf(installation: Listed): ServerView['update'] {
    const found = this.#find(installation)
    if (found?.version === undefined || found.status === 'deleted' || found.status === 'unlisted')
      return undefined
    const { sourceId, name, version } = found
    if (!isNewer({ version }, installation.server)) return undefined
    return { entryId: registryEntryId({ sourceId, name, version }), version }
  }

  #find(installation: Listed): SourceStatus | undefined {
    if (!hasVersions(installation)) return undefined
    const { sourceId = OFFICIAL_SOURCE, server } = installation
    return this.#statuses.get(listedKey({ sourceId, name: server.name }))
  }
}
