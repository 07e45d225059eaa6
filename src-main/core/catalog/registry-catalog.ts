import { AppError } from '../../../src-shared/domain/app-error'
import { attempt } from '../../../src-shared/domain/attempt'
import type { CatalogDetail, VersionList } from '../../../src-shared/domain/catalog/catalog-detail'
import type { CatalogEntry } from '../../../src-shared/domain/catalog/catalog-entry'
import type {
  CatalogPage,
  CatalogQuery,
  ListedVersion,
} from '../../../src-shared/domain/catalog/catalog-query'
import type { RegistryFault } from '../../../src-shared/domain/catalog/catalog-sync'
import {
  listedKey,
  type ListedRef,
  STARTER_SOURCE,
} from '../../../src-shared/domain/catalog/listed-ref'
import { readRegistryMeta } from '../../../src-shared/domain/catalog/registry-meta'
import type { ChangedLine } from '../../../src-shared/domain/installation/launch-changes'
import { isJsonObject } from '../../../src-shared/domain/json-object'
import { parseServerJson } from '../../../src-shared/domain/server-json/parse-server-json'
import { keepNewest } from '../lifecycle/keep-newest'
import { lineDiff } from '../line-diff'
import { isNewer, type Published } from '../updates/newer-version'
import type { CatalogSources } from './catalog-sources'
import type { KnownVersions } from './registry/registry-reader'
import type { CatalogWorker } from './thread/catalog-worker'

/** Comparing two entirely different documents would take minutes. */
const TIME_LIMIT_MS = 200
const MAX_LINES = 1_000

/**
 * Compares the server.json of two registry entries line by line, with context. If they have too little in common, returns all old lines,
 * then all new ones.
 */
export function compareDocuments(before: string, after: string): ChangedLine[] {
  const lines = lineDiff(serverText(before), serverText(after), { timeout: TIME_LIMIT_MS })
  return lines.slice(0, MAX_LINES).map(({ kind, text }) => ({ kind, text }))
}

/** The server.json alone: the registry's metadata changes with every version. */
function serverText(raw: string): string {
  const document: unknown = JSON.parse(raw)
  const server =
    isJsonObject(document) && isJsonObject(document.server) ? document.server : document
  return JSON.stringify(server, null, 2)
}

/** Cached version lists, for reading and comparing one of them. */
const MAX_LISTS = 20

/** Reads registry listings: pages, a server's details, and its versions. */
export class RegistryCatalog {
  readonly #known = new Map<string, KnownVersions>()

  constructor(
    private readonly worker: () => Promise<CatalogWorker>,
    private readonly sources: Pick<CatalogSources, 'tokenOf'>,
  ) {}

  /** Call before a search: wakes the thread for the first letter. */
  async prepareSearch(): Promise<void> {
    await (await this.worker()).calls.prepareSearch()
  }

  /** Undefined if the same searchBox sent a newer query meanwhile. */
  async query(query: CatalogQuery, searchBox: string): Promise<CatalogPage | undefined> {
    return (await this.worker()).search(query, searchBox)
  }

  /** Rejects with NOT_FOUND. */
  async detail(ref: ListedRef): Promise<CatalogDetail> {
    const found = await (await this.worker()).calls.read(ref)
    if (!found) throw notListed(ref.name)
    const { listed, raw } = found
    return { listed, entry: entryOfVersion(ref, { ...listed, raw }), raw }
  }

  /** Asks the registry; returns only the listed version if nothing else is known. Rejects with NOT_FOUND. */
  async versions(ref: ListedRef): Promise<VersionList> {
    const { versions, fault } = await this.#fetchVersions(ref)
    return { versions: versions.map(withoutRaw), fault }
  }

  /** One version, listed or older. Rejects with NOT_FOUND. */
  async readVersion(ref: VersionRef): Promise<CatalogEntry> {
    return entryOfVersion(ref, await this.#findVersion(ref))
  }

  /**
   * The newest version according to the registry now; undefined if the registry doesn't have the server. Rejects with REGISTRY_UNREACHABLE
   * or REGISTRY_BAD_ANSWER.
   */
  async fetchLatest(ref: ListedRef): Promise<CatalogEntry | undefined> {
    const answer = await this.#fetch(ref)
    if (answer.fault?.code === 'not-found') return undefined
    if (answer.fault) throw toAppError(answer.fault)
    const latest = answer.versions
      .filter(({ status }) => status !== 'deleted')
      .reduce<ListedVersion | undefined>(
        (newest, one) => (newest && !isNewer(publishedOf(one), publishedOf(newest)) ? newest : one),
        undefined,
      )
    return latest && entryOfVersion(ref, latest)
  }

  /** Rejects with NOT_FOUND. */
  async compareVersions(ref: ListedRef, from: string, to: string): Promise<ChangedLine[]> {
    const before = await this.#findVersion({ ...ref, version: from })
    const after = await this.#findVersion({ ...ref, version: to })
    return compareDocuments(before.raw, after.raw)
  }

  async #findVersion(ref: VersionRef): Promise<Pick<ListedVersion, 'version' | 'raw' | 'status'>> {
    const of = ({ version }: { readonly version: string }): boolean => version === ref.version
    const known = this.#known.get(listedKey(ref))?.versions.find(of)
    if (known) return known
    const listed = await (await this.worker()).calls.read(ref)
    if (listed && of(listed.listed)) return { ...listed.listed, raw: listed.raw }
    const { versions } = await this.#fetchVersions(ref)
    const found = versions.find(of)
    if (found) return found
    throw new AppError('NOT_FOUND', `${ref.name} has no known version ${ref.version}.`, {
      hint: 'Choose another version.',
    })
  }

  async #fetchVersions(ref: ListedRef): Promise<KnownVersions> {
    const answer = await this.#fetch(ref)
    const versions = answer.versions.length > 0 ? answer.versions : [await this.#listed(ref)]
    const known = { ...answer, versions }
    keepNewest(this.#known, listedKey(ref), known, MAX_LISTS)
    return known
  }

  async #fetch({ sourceId, name }: ListedRef): Promise<KnownVersions> {
    if (sourceId === STARTER_SOURCE) return { versions: [] }
    const token = await this.sources.tokenOf(sourceId)
    const worker = await this.worker()
    return (await worker.calls.versions({ sourceId, name, token })) ?? { versions: [] }
  }

  async #listed(ref: ListedRef): Promise<ListedVersion> {
    const found = await (await this.worker()).calls.read(ref)
    if (!found) throw notListed(ref.name)
    const { version, status, publishedAt, statusMessage } = found.listed
    return { version, status, statusMessage, publishedAt, isLatest: true, raw: found.raw }
  }
}

function publishedOf({ version, publishedAt }: ListedVersion): Published {
  const day = publishedAt === undefined ? undefined : new Date(publishedAt).toISOString()
  return { version, publishedAt: day }
}

const UNREACHED: ReadonlySet<RegistryFault['code']> = new Set([
  'unreachable',
  'timed-out',
  'cut-off',
  'cancelled',
  'switched-off',
])

function toAppError({ code, message, hint }: RegistryFault): AppError {
  const kind = UNREACHED.has(code) ? 'REGISTRY_UNREACHABLE' : 'REGISTRY_BAD_ANSWER'
  return new AppError(kind, message, { hint })
}

function withoutRaw(version: ListedVersion): VersionList['versions'][number] {
  const { raw: _, ...shown } = version
  return shown
}

function notListed(name: string): AppError {
  return new AppError('NOT_FOUND', `${name} is no longer listed.`, {
    hint: 'The registry may have removed it. Search the catalog again.',
  })
}

type VersionRef = ListedRef & { readonly version: string }

/** The id of a bundled entry. */
export function starterEntryId(name: string): string {
  return `starter:${name}`
}

/** The id of a registry entry; stable across runs of the app. */
export function registryEntryId({ sourceId, name, version }: VersionRef): string {
  return [
    'registry',
    ...[sourceId, name, version].map((text) => encodeURIComponent(text.toWellFormed())),
  ].join(':')
}

/** Parses such an id; undefined for any other entry. */
export function parseEntryId(entryId: string): VersionRef | undefined {
  const [kind, ...parts] = entryId.split(':')
  if (kind !== 'registry' || parts.length !== 3) return undefined
  const decoded = attempt(() => parts.map(decodeURIComponent))
  if (!decoded) return undefined
  const [sourceId = '', name = '', version = ''] = decoded
  return { sourceId, name, version }
}

/** A listed version as an entry that can be set up. Throws INVALID_SERVER_JSON. */
export function entryOfVersion(
  { sourceId, name }: ListedRef,
  { version, raw, status }: Pick<ListedVersion, 'version' | 'raw' | 'status'>,
): CatalogEntry {
  const document: unknown = JSON.parse(raw)
  const { server, notices } = parseServerJson(document)
  const { publishedAt, statusChangedAt } = readRegistryMeta(document)
  const shared = { server, status, publishedAt, statusChangedAt, notices }
  if (sourceId === STARTER_SOURCE) {
    return { entryId: starterEntryId(name), source: 'starter', ...shared }
  }
  const entryId = registryEntryId({ sourceId, name, version })
  return { entryId, source: 'registry', sourceId, ...shared }
}
