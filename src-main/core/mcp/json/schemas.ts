import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/client'

import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json-object'
import { isRawJson } from './exact-json'

/** A message part after `normalizeResult` or `normalizeParams`; the same reference if nothing was repaired. */
export type Normalized = {
  readonly value: JsonObject
  /** One phrase per kind of repair, by path: "tools[].title is null (4 times)". */
  readonly repairs: readonly string[]
  /** Why the value is unusable, by path, as the end of a sentence. */
  readonly problem?: string | undefined
}

/** Optional members of a known MCP type, and nested parts of known types. */
type Shape = {
  readonly optional: readonly string[]
  /** A required text of a list element; an element without it is removed. */
  readonly needs?: string
  readonly objects?: Readonly<Record<string, Shape>>
  readonly lists?: Readonly<Record<string, Shape>>
}

const ANNOTATIONS: Shape = {
  optional: [
    ...['audience', 'priority', 'lastModified', 'title', 'readOnlyHint', 'destructiveHint'],
    ...['idempotentHint', 'openWorldHint'],
  ],
}
const ICON: Shape = { optional: ['mimeType', 'sizes', 'theme'], needs: 'src' }
const ARGUMENT: Shape = { optional: ['title', 'description', 'required'], needs: 'name' }
const NAMED: Shape = {
  optional: ['title', 'description', 'mimeType', 'size', 'icons', 'annotations', '_meta'],
  objects: { annotations: ANNOTATIONS },
  lists: { icons: ICON },
}
const TOOL: Shape = {
  ...NAMED,
  optional: [...NAMED.optional, 'inputSchema', 'outputSchema', 'execution'],
  objects: { ...NAMED.objects, execution: { optional: ['taskSupport'] } },
}
const PROMPT: Shape = {
  ...NAMED,
  optional: [...NAMED.optional, 'arguments'],
  lists: { ...NAMED.lists, arguments: ARGUMENT },
}
const CONTENTS: Shape = { optional: ['mimeType', 'text', 'blob', '_meta'] }
const BLOCK: Shape = {
  ...NAMED,
  objects: { ...NAMED.objects, resource: CONTENTS },
}
const SERVER_INFO: Shape = {
  optional: ['title', 'description', 'websiteUrl', 'icons'],
  lists: { icons: ICON },
}
const PAGE = ['nextCursor', 'ttlMs', '_meta', 'resultType']

/** Known parts of each method's result (MCP 2024-11-05 to 2026-07-28). */
const RESULTS: Readonly<Record<string, Shape>> = {
  initialize: {
    optional: ['instructions', '_meta', 'serverInfo', 'capabilities', 'protocolVersion'],
    objects: { serverInfo: SERVER_INFO },
  },
  'server/discover': { optional: ['instructions', '_meta', 'capabilities', 'ttlMs', 'resultType'] },
  'tools/list': { optional: PAGE, lists: { tools: TOOL } },
  'resources/list': { optional: PAGE, lists: { resources: NAMED } },
  'resources/templates/list': { optional: PAGE, lists: { resourceTemplates: NAMED } },
  'prompts/list': { optional: PAGE, lists: { prompts: PROMPT } },
  'tools/call': {
    optional: ['content', 'structuredContent', 'isError', '_meta', 'resultType'],
    lists: { content: BLOCK },
  },
  'resources/read': { optional: PAGE, lists: { contents: CONTENTS } },
  'prompts/get': {
    optional: ['description', '_meta', 'resultType'],
    lists: { messages: { optional: [], objects: { content: BLOCK } } },
  },
  'completion/complete': {
    optional: ['_meta', 'resultType'],
    objects: { completion: { optional: ['total', 'hasMore'] } },
  },
}
const ANY_RESULT: Shape = { optional: ['_meta', 'resultType'] }

const PARAMS: Readonly<Record<string, Shape>> = {
  'notifications/progress': { optional: ['total', 'message', '_meta'] },
  'notifications/message': { optional: ['logger', '_meta'] },
  'notifications/cancelled': { optional: ['reason', '_meta'] },
  'elicitation/create': { optional: ['mode', 'elicitationId', '_meta'] },
}
const ANY_PARAMS: Shape = { optional: ['_meta'] }

/** The type of an optional member if it is the same everywhere; any other type counts as absent. */
const KINDS: ReadonlyMap<string, string> = new Map([
  ...of('a string', 'title description mimeType theme taskSupport lastModified websiteUrl'),
  ...of('a string', 'instructions message reason logger'),
  ...of('a number', 'size priority ttlMs total'),
  ...of('a boolean', 'required readOnlyHint destructiveHint idempotentHint openWorldHint hasMore'),
  ...of('an array', 'icons arguments audience'),
  ...of('an object', '_meta annotations execution'),
])

function of(kind: string, members: string): (readonly [string, string])[] {
  return members.split(' ').map((member) => [member, kind])
}

/**
 * Normalizes a result (F1): `null`, PHP's `[]` for an object and "" for an address count as absent. Free JSON (arguments, structured
 * content, schemas, values in `_meta`) and unknown members stay as they are.
 */
export function normalizeResult(method: string, result: JsonObject): Normalized {
  const repairs = new Repairs()
  let value = cleaned(result, RESULTS[method] ?? ANY_RESULT, '', repairs)
  let problem: string | undefined
  if (method === 'initialize' || method === 'server/discover')
    value = { ...value, capabilities: readCapabilities(value.capabilities, repairs) }
  if (method === 'initialize') {
    const { protocolVersion: version = LATEST_PROTOCOL_VERSION } = value
    if (value.protocolVersion === undefined) repairs.add('protocolVersion is missing')
    value = {
      ...value,
      protocolVersion: version,
      serverInfo: serverInfo(value.serverInfo, repairs),
    }
    if (typeof version !== 'string')
      problem = `protocolVersion is ${kindOf(version)}, but a string is expected`
  }
  value = withList(method, value, repairs)
  return { value, repairs: repairs.phrases(), problem }
}

/**
 * Like `normalizeResult`, for the parameters of a server's request or notification: `null` and `[]` count as none; returns undefined params
 * for a non-object.
 */
export function normalizeParams(
  method: string,
  raw: unknown,
): { readonly params: JsonObject | undefined; readonly repairs: readonly string[] } {
  if (raw === undefined) return { params: {}, repairs: NO_REPAIRS }
  if (raw === null) return { params: {}, repairs: ['params is null'] }
  if (isEmptyList(raw)) return { params: {}, repairs: ['params is an empty array'] }
  if (!isJsonObject(raw)) return { params: undefined, repairs: NO_REPAIRS }
  const repairs = new Repairs()
  let value = cleaned(raw, PARAMS[method] ?? ANY_PARAMS, '', repairs)
  const { progressToken: token } = value
  const isText = method === 'notifications/progress' && typeof token === 'string'
  if (isText && /^\d{1,15}(?:\.0+)?$/u.test(token)) {
    repairs.add('progressToken is a string')
    value = { ...value, progressToken: Number(token) }
  }
  return { params: value, repairs: repairs.phrases() }
}

/** Counts repairs by phrase, so that a list of a thousand elements yields one. */
class Repairs {
  /** Undefined until the first repair: most messages need none. */
  #counts: Map<string, number> | undefined

  add(phrase: string): void {
    this.#counts ??= new Map()
    this.#counts.set(phrase, (this.#counts.get(phrase) ?? 0) + 1)
  }

  phrases(): readonly string[] {
    if (!this.#counts) return NO_REPAIRS
    return [...this.#counts].map(([phrase, count]) =>
      count === 1 ? phrase : `${phrase} (${count} times)`,
    )
  }
}

const NO_REPAIRS: readonly string[] = []

/** Returns a value without the absent members of its shape; `path` ends in a dot unless it is the whole result. */
function cleaned(value: JsonObject, shape: Shape, path: string, repairs: Repairs): JsonObject {
  let copy: Record<string, unknown> | undefined
  // Iterates over present members: a call's result has one or two, and shapes list ten.
  for (const key in value) {
    const member = value[key]
    const absence = absenceOf(key, member, shape)
    if (absence !== undefined) {
      repairs.add(`${path}${key} is ${absence}`)
      copy ??= { ...value }
      Reflect.deleteProperty(copy, key)
      continue
    }
    if (typeof member !== 'object') continue
    const { [key]: list } = shape.lists ?? {}
    const { [key]: inner } = shape.objects ?? {}
    let next: unknown = member
    if (list) next = cleanedList(member, list, `${path}${key}[].`, repairs)
    else if (inner && isJsonObject(member)) next = cleaned(member, inner, `${path}${key}.`, repairs)
    if (next === member) continue
    copy ??= { ...value }
    copy[key] = next
  }
  return copy ?? value
}

function cleanedList(list: unknown, shape: Shape, path: string, repairs: Repairs): unknown {
  if (!Array.isArray(list)) return list
  let copy: unknown[] | undefined
  for (const [index, element] of list.entries()) {
    if (!isJsonObject(element)) continue
    const next = cleaned(element, shape, path, repairs)
    if (next !== element) (copy ??= [...(list as unknown[])])[index] = next
  }
  const all = copy ?? list
  const { needs } = shape
  if (needs === undefined) return all
  const usable = all.filter((one) => {
    const text = isJsonObject(one) ? one[needs] : undefined
    const isUsable = typeof text === 'string' && text !== ''
    if (!isUsable) repairs.add(`${path}${needs} is ${text === '' ? 'empty' : 'missing'}`)
    return isUsable
  })
  return usable.length < all.length ? usable : all
}

/** Returns in which way a member is absent; undefined if it is present. */
function absenceOf(key: string, member: unknown, shape: Shape): string | undefined {
  if (!shape.optional.includes(key)) return undefined
  if (member === null) return 'null'
  const expected = KINDS.get(key)
  if (expected === undefined) return undefined
  if (member === '' && (expected !== 'a string' || key === 'websiteUrl')) return 'empty'
  if (kindOf(member) === expected) return undefined
  return isEmptyList(member) ? 'an empty array' : kindOf(member)
}

export function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

/** Whether a value means an absent object: null, or the empty list of PHP. */
export function isNone(value: unknown): boolean {
  return value === null || isEmptyList(value)
}

/** The list of each result, and the member that names a nameless element. */
const LISTED: Readonly<Record<string, readonly [list: string, from?: string]>> = {
  'tools/list': ['tools'],
  'prompts/list': ['prompts'],
  'resources/list': ['resources', 'uri'],
  'resources/templates/list': ['resourceTemplates', 'uriTemplate'],
}

/** Turns a missing list into an empty one, and names a nameless resource by its address. */
function withList(method: string, result: JsonObject, repairs: Repairs): JsonObject {
  const [list, from] = LISTED[method] ?? []
  if (list === undefined) return result
  const elements = result[list]
  if (!Array.isArray(elements)) {
    repairs.add(`${list} is ${elements === undefined ? 'missing' : kindOf(elements)}`)
    return { ...result, [list]: [] }
  }
  if (from === undefined) return result
  const isUnnamed = (one: unknown): one is JsonObject =>
    isJsonObject(one) && typeof one.name !== 'string' && typeof one[from] === 'string'
  if (!elements.some(isUnnamed)) return result
  const named = elements.map((one: unknown) => {
    if (!isUnnamed(one)) return one
    repairs.add(`${list}[].name is missing`)
    return { ...one, name: one[from] }
  })
  return { ...result, [list]: named }
}

/** Completes name and version, which are required, with empty texts. */
function serverInfo(raw: unknown, repairs: Repairs): JsonObject {
  if (!isJsonObject(raw)) {
    repairs.add(`serverInfo is ${raw === undefined ? 'missing' : kindOf(raw)}`)
    return { name: '', version: '' }
  }
  const info: Record<string, unknown> = { ...raw }
  for (const key of ['name', 'version']) {
    const member = info[key]
    if (typeof member === 'string') continue
    repairs.add(`serverInfo.${key} is ${member === undefined ? 'missing' : kindOf(member)}`)
    info[key] = typeof member === 'number' ? String(member) : ''
  }
  return info
}

const FLAGS: readonly string[] = ['listChanged', 'subscribe']

/** Returns each capability as an object: any other value declares it if it is true or not empty. */
function readCapabilities(raw: unknown, repairs: Repairs): JsonObject {
  if (!isJsonObject(raw)) {
    const kind = isEmptyList(raw) ? 'an empty array' : kindOf(raw)
    repairs.add(`capabilities is ${raw === undefined ? 'missing' : kind}`)
    return {}
  }
  const capabilities: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(raw)) {
    const path = `capabilities.${key}`
    if (isJsonObject(member)) capabilities[key] = withFlags(path, member, repairs)
    else {
      repairs.add(`${path} is ${typeof member === 'boolean' ? String(member) : kindOf(member)}`)
      if (member) capabilities[key] = {}
    }
  }
  return capabilities
}

function withFlags(path: string, capability: JsonObject, repairs: Repairs): JsonObject {
  const members = Object.entries(capability).filter(([key, flag]) => {
    const isOdd = FLAGS.includes(key) && typeof flag !== 'boolean'
    const isKept = !isOdd && flag !== null
    if (!isKept) repairs.add(`${path}.${key} is ${kindOf(flag)}`)
    return isKept
  })
  return Object.fromEntries(members)
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (isRawJson(value)) return 'a number'
  if (typeof value === 'string') return 'a string'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
