import { createHash } from 'node:crypto'

import documents from '../../../resources/starter-catalog.json'
import { AppError } from '../../../src-shared/domain/app-error'
import type { CatalogEntry } from '../../../src-shared/domain/catalog/catalog-entry'
import type { Installation } from '../../../src-shared/domain/installation/installation'
import { parseServerJson } from '../../../src-shared/domain/server-json/parse-server-json'
import { Emitter } from '../lifecycle/emitter'
import { keepNewest } from '../lifecycle/keep-newest'
import { parseEntryId, type RegistryCatalog, starterEntryId } from './registry-catalog'

/** Remembered registry entries, so that `read` finds what was just shown. */
const REMEMBERED = 1_000
/** Remembered opened bundles and copies, and pasted texts. */
const MAX_OPENED = 100

/** Entries that a user can set up: bundled, pasted, opened, and listed by registries. */
export class Catalog {
  readonly #starter: readonly CatalogEntry[]
  readonly #registry: Pick<RegistryCatalog, 'readVersion'> | undefined
  readonly #pasted = new Map<string, CatalogEntry>()
  readonly #found = new Map<string, CatalogEntry>()
  readonly #opened = new Map<string, CatalogEntry>()

  readonly #didPaste = new Emitter<undefined>()
  readonly #didRemember = new Emitter<ReadonlySet<string>>()
  /** Cached `versionsOf` by name: it is called at every change of every server. */
  #versions: ReadonlyMap<string, CatalogEntry[]> | undefined

  readonly onDidPaste = this.#didPaste.event
  /** Fires with the names of servers whose known versions may have changed. */
  readonly onDidRemember = this.#didRemember.event

  constructor(starter: readonly CatalogEntry[], registry?: Pick<RegistryCatalog, 'readVersion'>) {
    this.#starter = starter
    this.#registry = registry
  }

  /** Entries pasted in this run, newest first; only the newest of each name. */
  get pasted(): CatalogEntry[] {
    const newest = new Map([...this.#pasted.values()].map((entry) => [entry.server.name, entry]))
    return [...newest.values()].toReversed()
  }

  /** All versions of a server seen in this run; a pasted one is no update. */
  versionsOf(name: string): readonly CatalogEntry[] {
    this.#versions ??= Map.groupBy(
      [...this.#starter, ...this.#found.values()],
      ({ server }) => server.name,
    )
    return this.#versions.get(name) ?? []
  }

  /** Like `read`, and also finds any version that a registry lists, which is remembered from then on. */
  async find(entryId: string): Promise<CatalogEntry> {
    const ref = this.#found.has(entryId) ? undefined : parseEntryId(entryId)
    if (ref === undefined || !this.#registry) return this.read(entryId)
    const entry = await this.#registry.readVersion(ref)
    this.remember([entry])
    return entry
  }

  /** Throws NOT_FOUND for an entry that wasn't shown, pasted or found in this run. */
  read(entryId: string): CatalogEntry {
    const entry =
      this.#starter.find((one) => one.entryId === entryId) ??
      this.#pasted.get(entryId) ??
      this.#opened.get(entryId) ??
      this.#found.get(entryId)
    if (entry) return entry
    throw new AppError('NOT_FOUND', 'This catalog entry is no longer available.', {
      hint: 'Search for it in the catalog again.',
    })
  }

  /** Remembers an opened bundle, which no list shows because it may claim any name. */
  keep(entry: CatalogEntry): void {
    keepNewest(this.#opened, entry.entryId, entry, MAX_OPENED)
  }

  /** Remembers the entry of an installation, which may no longer be listed. */
  rememberInstalled(installation: Installation): CatalogEntry {
    const { installationId, source, sourceId, server, proposed } = installation
    const entryId = `installed:${installationId}`
    const origin = { source, sourceId, server, proposed }
    const entry: CatalogEntry = { entryId, ...origin, status: 'active', notices: [] }
    this.keep(entry)
    return entry
  }

  remember(entries: readonly CatalogEntry[]): void {
    for (const entry of entries) keepNewest(this.#found, entry.entryId, entry, REMEMBERED)
    this.#versions = undefined
    this.#didRemember.emit(new Set(entries.map(({ server }) => server.name)))
  }

  /** Parses a pasted server.json. Throws INVALID_SERVER_JSON. */
  paste(text: string): CatalogEntry {
    const { server, notices } = parseServerJson(text)
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 16)
    const entry: CatalogEntry = {
      entryId: `pasted:${hash}`,
      source: 'pasted',
      server,
      status: 'active',
      notices,
    }
    keepNewest(this.#pasted, entry.entryId, entry, MAX_OPENED)
    this.#didPaste.emit(undefined)
    return entry
  }
}

/** Bundled server.json documents, in the order of the file. */
export const starterDocuments: readonly unknown[] = documents

/** The same as entries, with `starter:NAME` as `entryId`. */
export function starterCatalog(): CatalogEntry[] {
  return starterDocuments.map((document) => {
    const { server, notices } = parseServerJson(document)
    return {
      entryId: starterEntryId(server.name),
      source: 'starter',
      server,
      status: 'active',
      notices,
    }
  })
}
