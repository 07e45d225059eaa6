import { createHash } from 'node:crypto'
import { join } from 'node:path'

import * as z from 'zod'

import { SourceStatus } from '../../../src-shared/domain/catalog/catalog-query'
import { SourceState } from '../../../src-shared/domain/catalog/catalog-sync'
import { listedKey, OFFICIAL_SOURCE } from '../../../src-shared/domain/catalog/listed-ref'
import type { Installation } from '../../../src-shared/domain/installation/installation'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { readOwnJsonOr, writeOwnText } from '../storage/own-file'
import { hasVersions, isNewer } from '../updates/newer-version'
import { registryEntryId } from './registry-catalog'
import type { CatalogWorker } from './thread/catalog-worker'

export type CatalogSummaryOptions = {
  /** Folder of `known.json`, so that a start without work doesn't open the catalog. */
  readonly folder: string
  /** The documents bundled with Patchbay. */
  readonly starters: readonly unknown[]
  /** Registry names of the installed servers. */
  readonly installedNames: () => readonly string[]
  /** Identifies the current sources. */
  readonly sourceText: () => string
  /** Remembering failed; reported once. */
  readonly onProblem: (error: unknown) => void
}

/**
 * What is known of the catalog without opening it: the state of its sources, and the registries' statuses of installed servers. Kept from
 * the last run if sources and bundled documents are the same.
 */
export class CatalogSummary {
  readonly statuses = new RegistryStatus()
  readonly #path: string
  readonly #starters: string
  #states: readonly SourceState[] | undefined
  /** The servers that `statuses` covers. */
  #installed = ''
  #written = ''
  #hasReported = false

  constructor(private readonly options: CatalogSummaryOptions) {
    this.#starters = createHash('sha256').update(JSON.stringify(options.starters)).digest('hex')
    this.#path = join(options.folder, 'known.json')
    // An unreadable file counts as empty.
    const known = readOwnJsonOr(this.#path, Remembered, MAX_BYTES)
    if (known?.sources !== options.sourceText() || known.starters !== this.#starters) return
    this.#states = known.states
    this.#installed = known.installed
    this.statuses.replace(known.statuses)
  }

  get states(): readonly SourceState[] {
    return this.#states ?? []
  }

  /** Whether anything is known. */
  get isThere(): boolean {
    return this.#states !== undefined
  }

  /** Whether other servers are installed than `statuses` covers. */
  get isStale(): boolean {
    return this.#installed !== this.#installedText()
  }

  /** Reads the state of the sources; returns whether it changed. */
  async count(worker: CatalogWorker): Promise<boolean> {
    const states = await worker.calls.sources()
    const isOther = JSON.stringify(states) !== JSON.stringify(this.#states)
    this.#states = states
    this.#remember()
    return isOther
  }

  /** Reads the statuses of the installed servers; returns the names of those that changed. */
  async compare(worker: CatalogWorker): Promise<Set<string>> {
    this.#installed = this.#installedText()
    const statuses = await worker.calls.statuses([...new Set(this.options.installedNames())])
    const changed = this.statuses.replace(statuses)
    if (this.isThere) this.#remember()
    return changed
  }

  /** Anything not remembered is read again by the next run, so a failure blocks nothing. */
  #remember(): void {
    const text = JSON.stringify({
      ...{ version: 1, sources: this.options.sourceText(), starters: this.#starters },
      ...{ installed: this.#installed, states: [...this.states], statuses: this.statuses.list },
    } satisfies Remembered)
    if (text === this.#written) return
    try {
      writeOwnText(this.#path, text)
      this.#written = text
    } catch (error) {
      if (!this.#hasReported) this.options.onProblem(error)
      this.#hasReported = true
    }
  }

  #installedText(): string {
    return this.options.installedNames().join('\n')
  }
}

const MAX_BYTES = 5_000_000

/** The catalog's state at the last look, and what it covers. */
const Remembered = z.object({
  version: z.literal(1),
  sources: z.string(),
  starters: z.string(),
  installed: z.string(),
  states: z.array(SourceState),
  statuses: z.array(SourceStatus),
})
type Remembered = Readonly<z.infer<typeof Remembered>>

type Listed = Pick<Installation, 'source' | 'sourceId' | 'server'>

/** The statuses of installed servers, each from its own registry. */
export class RegistryStatus {
  #statuses: ReadonlyMap<string, SourceStatus> = new Map()

  /** Replaces the statuses; returns the names of the servers that changed. */
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

  /** The registry's warning about an installation; undefined if there is none. */
  warningOf(installation: Listed): ServerView['registryStatus'] {
    const found = this.#find(installation)
    if (found === undefined || found.status === 'active') return undefined
    const { status, statusMessage } = found
    // Pasted and bundled servers need not be in any registry.
    if (status === 'unlisted' && installation.source !== 'registry') return undefined
    return { status, statusMessage }
  }

  /** The registry's newest version, if it is newer than the installed one. */
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
