import { hash } from 'node:crypto'

import { attempt } from '../../../../src-shared/domain/attempt'
import type { ListedKind, ListedServer } from '../../../../src-shared/domain/catalog/catalog-query'
import {
  officialParts,
  readRegistryMeta,
} from '../../../../src-shared/domain/catalog/registry-meta'
import { parseServerJson } from '../../../../src-shared/domain/server-json/parse-server-json'
import { type Machine, rankOffer } from '../../../../src-shared/domain/server-json/preferred-offer'
import type {
  Argument,
  InputVariable,
  KeyValueInput,
  Package,
  ServerJson,
} from '../../../../src-shared/domain/server-json/server-json'
import {
  cleanLine,
  isJsonObject,
  type JsonObject,
} from '../../../../src-shared/domain/server-json/tolerant-reader'
import { fold, hostLength, spacedPairs } from '../../text/words'

/** Far above the 200 that the registry allows. */
const MAX_NAME = 400
const MAX_MESSAGE = 500
const MAX_VERSION = 255
/** Characters of one entry's JSON; the largest real ones have some 50,000. */
const MAX_RAW = 500_000
/** Characters of what one server can be found by; a hostile entry could fill the index with its own. */
const MAX_WORDS = 8_000
const MAX_LABEL = 1_000

/** What is known of an entry of a registry's list before it is read whole. */
export type EntryHead = {
  readonly name: string
  readonly version: string
  readonly status: 'active' | 'deprecated' | 'deleted'
  readonly statusMessage: string | undefined
  /** Epoch ms. */
  readonly publishedAt: number | undefined
  /** Epoch ms. */
  readonly updatedAt: number | undefined
  /** Undefined where the registry does not say. */
  readonly isLatest: boolean | undefined
  /** The entry as JSON text. */
  readonly raw: string
  /** Of `raw`: tells whether an entry changed. */
  readonly digest: string
}

/** Reads the head of an entry; undefined for what names no server, or is far too large to be one. */
export function readEntryHead(entry: unknown): EntryHead | undefined {
  const name = readEntryName(entry)
  if (name === undefined || !isJsonObject(entry)) return undefined
  const server = serverOf(entry)
  const [meta = {}] = officialParts(entry)
  const { status, publishedAt } = readRegistryMeta(entry)
  const published = timeOf(publishedAt)
  // Lists within lists beyond all depth can be read and not written.
  const raw = attempt(() => JSON.stringify(entry))
  if (raw === undefined || raw.length > MAX_RAW) return undefined
  return {
    name,
    version: textOf(server.version).slice(0, MAX_VERSION),
    status,
    statusMessage: textOf(meta.statusMessage).slice(0, MAX_MESSAGE) || undefined,
    publishedAt: published,
    updatedAt: timeOf(meta.updatedAt ?? meta.updated_at) ?? published,
    isLatest: flagOf(meta.isLatest ?? meta.is_latest),
    raw,
    digest: hash('sha1', raw),
  }
}

/** The name alone, which can often be read where the entry cannot; undefined where there is none. */
export function readEntryName(entry: unknown): string | undefined {
  const name = isJsonObject(entry) ? textOf(serverOf(entry).name) : ''
  return name === '' || name.length > MAX_NAME ? undefined : name
}

function serverOf(entry: JsonObject): JsonObject {
  return isJsonObject(entry.server) ? entry.server : entry
}

function timeOf(raw: unknown): number | undefined {
  const time = typeof raw === 'string' ? Date.parse(raw) : Number.NaN
  return Number.isNaN(time) || time < 0 ? undefined : time
}

function textOf(raw: unknown): string {
  return typeof raw === 'string' ? cleanLine(raw) : ''
}

function flagOf(raw: unknown): boolean | undefined {
  return typeof raw === 'boolean' ? raw : undefined
}

/** All that a list and the search need of an entry. */
export type ReadEntry = Omit<ListedServer, 'sourceId' | 'status' | 'isVerified'> & {
  readonly status: EntryHead['status']
  /** The kinds whose packages can be started on this machine once their runners are there. */
  readonly starts: readonly ListedKind[]
  /**
   * What the name is searched in, folded: the short name, the title, the full name and the publisher's own
   * name, a line each, then the publisher and the identifiers of packages.
   */
  readonly label: string
  /**
   * What is searched by whole words and their beginnings alone: the description and the inputs, folded, with scripts
   * without blanks as pairs of characters.
   */
  readonly words: string
}

/** What the full-text index holds of a label, and whose own name stands in it. */
export type IndexedLabel = {
  readonly owner: string
  /** The short name and the title. */
  readonly head: string
  /** The full name and the publisher without their host, and the packages. */
  readonly rest: string
  /** The host of the full name, which thousands share. */
  readonly host: string
}

/** Splits a label for the full-text index; scripts without blanks become pairs of characters. */
export function indexLabel(label: string): IndexedLabel {
  const [short = '', title = '', name = '', owner = '', last = ''] = label.split('\n')
  const host = name.slice(0, hostLength(name))
  const top = host === 'io.github.' ? '' : `.${host.slice(0, -1)}`
  const [publisher = '', ...packages] = last.split(' ')
  const bare = top !== '' && publisher.endsWith(top) ? publisher.slice(0, -top.length) : publisher
  const rest = [name.slice(host.length), owner, bare, ...packages].join(' ')
  return { owner, head: spacedPairs(`${short} ${title}`), rest: spacedPairs(rest), host }
}

/** Who keeps a package: the origin of an address, the registry of an image. Thousands share one. */
const KEPT_AT = /^(?:https?:\/\/[^/]+\/|[^/@]*[.:][^/]*\/)/i

/** Reads an entry whole. Throws INVALID_SERVER_JSON for what has no name. */
export function readEntry(head: EntryHead): ReadEntry {
  const { server } = parseServerJson(JSON.parse(head.raw))
  const { publisher, owner, namespace } = readNamespace(head.name)
  const short = head.name.slice(head.name.indexOf('/') + 1)
  const packages = server.packages.map(({ identifier }) => identifier.replace(KEPT_AT, ''))
  const { name, status, statusMessage, publishedAt, updatedAt, version } = head
  const title = server.title?.slice(0, 200)
  const label = [short, title ?? '', name, owner, [publisher, ...packages].join(' ')]
  const inputs = inputsOf(server)
  return {
    name,
    ...{ title, description: server.description.slice(0, 1_000), publisher, namespace, version },
    ...{ status, statusMessage, publishedAt, updatedAt },
    kinds: kindsOf(server),
    starts: kindsOf({ packages: server.packages.filter(isStartable), remotes: [] }),
    asksForSecrets: inputs.asksForSecrets,
    icon: server.icons?.map(({ src }) => src).find((src) => src.length <= 2_000),
    label: label.map(fold).join('\n').slice(0, MAX_LABEL),
    words: spacedPairs(fold([server.description, ...inputs.names].join(' '))).slice(0, MAX_WORDS),
  }
}

/** What a namespace stands for: `com.stripe` for stripe.com, `io.github.ann` for the account ann. */
export function readNamespace(
  name: string,
): Pick<ListedServer, 'publisher' | 'namespace'> & { readonly owner: string } {
  const [space = ''] = name.split('/')
  const account = /^io\.github\.(.+)$/i.exec(space)?.[1]
  if (account !== undefined) return { publisher: account, owner: account, namespace: 'github' }
  const parts = space.split('.')
  return {
    publisher: parts.toReversed().join('.'),
    owner: parts[1] ?? space,
    namespace: 'domain',
  }
}

const KINDS: ReadonlyMap<string, ListedKind> = new Map([
  ['npm', 'npm'],
  ['pypi', 'pypi'],
  ['oci', 'docker'],
  ['nuget', 'nuget'],
  ['cargo', 'cargo'],
  ['mcpb', 'bundle'],
])

const HERE: Machine = { platform: process.platform, arch: process.arch }

/** As its detail says: what does not say where it answers, or was made for another kind of computer, is not. */
function isStartable(pkg: Package): boolean {
  return ['ready', 'serves-http'].includes(rankOffer({ kind: 'package', pkg }, HERE).rank)
}

function kindsOf({ packages, remotes }: Pick<ServerJson, 'packages' | 'remotes'>): ListedKind[] {
  const kinds = packages.flatMap(({ registryType }) => KINDS.get(registryType) ?? [])
  return [...new Set<ListedKind>([...kinds, ...(remotes.length > 0 ? (['remote'] as const) : [])])]
}

function inputsOf({ packages, remotes }: ServerJson): {
  readonly names: string[]
  readonly asksForSecrets: boolean
} {
  const pairs = [
    ...packages.flatMap((pkg) => [...pkg.environmentVariables, ...(pkg.transport.headers ?? [])]),
    ...remotes.flatMap(({ headers }) => headers),
  ]
  const given = packages.flatMap((pkg) => [...pkg.runtimeArguments, ...pkg.packageArguments])
  const variables = [
    ...remotes.map((remote) => remote.variables),
    ...[...pairs, ...given].map((input) => input.variables),
  ].flatMap((some) => Object.entries(some ?? {}))
  const names = [
    ...pairs.map(({ name }) => name),
    ...given.map(nameOf),
    ...variables.map(([name]) => name),
  ]
  const inputs: readonly Pick<InputVariable | KeyValueInput, 'isSecret'>[] = [
    ...pairs,
    ...given,
    ...variables.map(([, variable]) => variable),
  ]
  return { names, asksForSecrets: inputs.some(({ isSecret }) => isSecret === true) }
}

function nameOf(argument: Argument): string {
  return argument.type === 'named' ? argument.name : (argument.valueHint ?? '')
}
