import { hash } from 'node:crypto'

import { attempt } from '../../../../src-shared/domain/attempt'
import type { ListedKind, ListedServer } from '../../../../src-shared/domain/catalog/catalog-query'
import {
  officialParts,
  readRegistryMeta,
} from '../../../../src-shared/domain/catalog/registry-meta'
import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json-object'
import { parseServerJson } from '../../../../src-shared/domain/server-json/parse-server-json'
import { type Machine, rankOffer } from '../../../../src-shared/domain/server-json/preferred-offer'
import type {
  Argument,
  InputVariable,
  KeyValueInput,
  Package,
  ServerJson,
} from '../../../../src-shared/domain/server-json/server-json'
import { cleanLine } from '../../../../src-shared/domain/server-json/tolerant-reader'
import { fold, hostLength, spacedPairs } from '../../text/words'

/** Far above the registry's limit of 200. */
const MAX_NAME = 400
const MAX_MESSAGE = 500
const MAX_VERSION = 255
/** Characters of one entry's JSON; the largest real ones have some 50,000. */
const MAX_RAW = 500_000
/** Indexed characters of one server, so that a hostile entry can't fill the index. */
const MAX_WORDS = 8_000
const MAX_LABEL = 1_000

/** The head of a registry entry, known before the entry is fully read. */
export type EntryHead = {
  readonly name: string
  readonly version: string
  readonly status: 'active' | 'deprecated' | 'deleted'
  readonly statusMessage: string | undefined
  /** Epoch ms. */
  readonly publishedAt: number | undefined
  /** Epoch ms. */
  readonly updatedAt: number | undefined
  /** Undefined if the registry doesn't say. */
  readonly isLatest: boolean | undefined
  /** The entry as JSON text. */
  readonly raw: string
  /** Digest of `raw`, to detect changes. */
  readonly digest: string
}

/** Reads an entry's head; undefined without a server name or if far too large. */
export function readEntryHead(entry: unknown): EntryHead | undefined {
  const name = readEntryName(entry)
  if (name === undefined || !isJsonObject(entry)) return undefined
  const server = serverOf(entry)
  const [meta = {}] = officialParts(entry)
  const { status, publishedAt } = readRegistryMeta(entry)
  const published = timeOf(publishedAt)
  // Extremely deep nesting can be parsed but not serialized.
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

/** The name alone, which is often readable in a broken entry; undefined if there is none. */
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

/** Everything that lists and search need of an entry. */
export type ReadEntry = Omit<ListedServer, 'sourceId' | 'status' | 'isVerified'> & {
  readonly status: EntryHead['status']
  /** The kinds whose packages can start on this machine if their runners are installed. */
  readonly starts: readonly ListedKind[]
  /**
   * The searchable name, folded: short name, title, full name and the publisher's own name, one per line, then publisher and package
   * identifiers.
   */
  readonly label: string
  /** The text searched by words and prefixes only: description and inputs, folded; scripts without spaces as character pairs. */
  readonly words: string
}

/** The indexed parts of a label, and its owner. */
export type IndexedLabel = {
  readonly owner: string
  /** Short name and title. */
  readonly head: string
  /** Full name and publisher without their host, and the packages. */
  readonly rest: string
  /** Host of the full name, shared by thousands. */
  readonly host: string
}

/** Splits a label for the full-text index; scripts without spaces become character pairs. */
export function indexLabel(label: string): IndexedLabel {
  const [short = '', title = '', name = '', owner = '', last = ''] = label.split('\n')
  const host = name.slice(0, hostLength(name))
  const top = host === 'io.github.' ? '' : `.${host.slice(0, -1)}`
  const [publisher = '', ...packages] = last.split(' ')
  const bare = top !== '' && publisher.endsWith(top) ? publisher.slice(0, -top.length) : publisher
  const rest = [name.slice(host.length), owner, bare, ...packages].join(' ')
  return { owner, head: spacedPairs(`${short} ${title}`), rest: spacedPairs(rest), host }
}

/** The origin of a package's address or image, shared by thousands. */
const KEPT_AT = /^(?:https?:\/\/[^/]+\/|[^/@]*[.:][^/]*\/)/i

/** Reads a whole entry. Throws INVALID_SERVER_JSON if it has no name. */
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

/** The owner of a namespace: `com.stripe` is stripe.com, `io.github.ann` the account ann. */
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

/** As in its details: false if the HTTP address is missing or the package is for another kind of computer. */
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
