import { createHash } from 'node:crypto'

import documents from '../../../resources/starter-catalog.json'
import { AppError } from '../../../src-shared/domain/app-error'
import type { CatalogEntry } from '../../../src-shared/domain/catalog/catalog-entry'
import type { Installation } from '../../../src-shared/domain/installation/installation'
import { parseServerJson } from '../../../src-shared/domain/server-json/parse-server-json'
import { Emitter } from '../lifecycle/emitter'
import { keepNewest } from '../lifecycle/keep-newest'
import { parseEntryId, type RegistryCatalog, starterEntryId } from './registry-catalog'

/** Most entries of registries that are remembered, so that `read` finds what was shown a moment ago. */
const REMEMBERED = 1_000
/** Most bundles and copies that were opened in this run and can still be set up; as many pasted texts. */
const MOST_OPENED = 100

/** The entries a user can set up: the starter catalog, what was pasted or opened, and what registries list. */
export class Catalog {
  readonly #starter: readonly CatalogEntry[]
  readonly #registry: Pick<RegistryCatalog, 'readVersion'> | undefined
  readonly #pasted = new Map<string, CatalogEntry>()
  readonly #found = new Map<string, CatalogEntry>()
  readonly #opened = new Map<string, CatalogEntry>()

  readonly #didPaste = new Emitter<undefined>()
  readonly #didRemember = new Emitter<ReadonlySet<string>>()
  /** The entries of `versionsOf` by name, until others come: it is asked at every change of every server. */
  #versions: ReadonlyMap<string, CatalogEntry[]> | undefined

  readonly onDidPaste = this.#didPaste.event
  /** Tells the names of servers whose known versions may have changed. */
  readonly onDidRemember = this.#didRemember.event

  constructor(starter: readonly CatalogEntry[], registry?: Pick<RegistryCatalog, 'readVersion'>) {
    this.#starter = starter
    this.#registry = registry
  }

  /** What was pasted in this run, the newest first; of those with one name the newest alone. */
  get pasted(): CatalogEntry[] {
    const newest = new Map([...this.#pasted.values()].map((entry) => [entry.server.name, entry]))
    return [...newest.values()].toReversed()
  }

  /** Every version of one server that was seen in this run; pasted ones are nobody's updates. */
  versionsOf(name: string): readonly CatalogEntry[] {
    this.#versions ??= Map.groupBy(
      [...this.#starter, ...this.#found.values()],
      ({ server }) => server.name,
    )
    return this.#versions.get(name) ?? []
  }

  /** As `read`, and also any version that a registry lists, which is at hand from then on. */
  async find(entryId: string): Promise<CatalogEntry> {
    const ref = this.#found.has(entryId) ? undefined : parseEntryId(entryId)
    if (ref === undefined || !this.#registry) return this.read(entryId)
    const entry = await this.#registry.readVersion(ref)
    this.remember([entry])
    return entry
  }

  /** Throws NOT_FOUND for an entry that is not at hand: not shown, pasted or found in this run. */
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

  /** Keeps an opened bundle, which no list shows: it can call itself what it likes. */
  keep(entry: CatalogEntry): void {
    keepNewest(this.#opened, entry.entryId, entry, MOST_OPENED)
  }

  /** Keeps what an installation was made of, which may be in no list any more. */
  keepInstalled(installation: Installation): CatalogEntry {
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

  /** Takes a server.json as text. Throws INVALID_SERVER_JSON. */
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
    keepNewest(this.#pasted, entry.entryId, entry, MOST_OPENED)
    this.#didPaste.emit(undefined)
    return entry
  }
}

/** The server.json of each server that Patchbay knows without a network, in the order of the file. */
export const starterDocuments: readonly unknown[] = documents

/** The same as entries; `entryId` is `starter:NAME`. */
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
