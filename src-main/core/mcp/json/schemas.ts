import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/client'

import { isObject } from './is-object'
import type { JsonObject } from './json-rpc'

/** A message part after `normalizeResult` or `normalizeParams`; the same reference where nothing was repaired. */
export type Normalized = {
  readonly value: JsonObject
  /** One phrase for each kind of repair, by path: "tools[].title is null (4 times)". */
  readonly repairs: readonly string[]
  /** Why the value can't be used, by path, as the end of a sentence. */
  readonly problem?: string | undefined
}

/** The members of a known MCP type that may be absent, and the parts of known types within it. */
type Shape = {
  readonly optional: readonly string[]
  readonly objects?: Readonly<Record<string, Shape>>
  readonly lists?: Readonly<Record<string, Shape>>
}

const ANNOTATIONS: Shape = {
  optional: [
    ...['audience', 'priority', 'lastModified', 'title', 'readOnlyHint', 'destructiveHint'],
    ...['idempotentHint', 'openWorldHint'],
  ],
}
const ICON: Shape = { optional: ['mimeType', 'sizes', 'theme'] }
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
  lists: { ...NAMED.lists, arguments: { optional: ['title', 'description', 'required'] } },
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

/** What is known of the results of each method (MCP 2024-11-05 to 2026-07-28). */
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
}
const ANY_PARAMS: Shape = { optional: ['_meta'] }

/** Members that hold an address: an empty text is none. */
const ADDRESSES: readonly string[] = ['websiteUrl', 'src']

/**
 * Reads a result as its server meant it (F1): `null`, PHP's `[]` for an object and "" for an address are absent. Free JSON
 * (arguments, structured content, schemas, values in `_meta`) and unknown members stay as they are.
 */
export function normalizeResult(method: string, result: JsonObject): Normalized {
  const repairs = new Repairs()
  let value = cleaned(result, RESULTS[method] ?? ANY_RESULT, '', repairs)
  let problem: string | undefined
  if (method === 'initialize' || method === 'server/discover') {
    const read = readCapabilities(value.capabilities, repairs)
    value = { ...value, capabilities: read.capabilities }
    problem = read.problem
  }
  if (method === 'initialize') {
    value = handshake(value, repairs)
    const { protocolVersion: version } = value
    if (typeof version !== 'string')
      problem = `protocolVersion is ${kindOf(version)}, but a string is expected`
  }
  value = withNames(method, value, repairs)
  if (value._meta !== undefined && !isObject(value._meta)) {
    const { _meta: meta, ...others } = value
    repairs.add(`_meta is ${kindOf(meta)}`)
    value = others
  }
  return { value, repairs: repairs.phrases(), problem }
}

/** As `normalizeResult`, for the parameters of a server's request or notification: `null` and `[]` are none, and undefined is what is no object. */
export function normalizeParams(
  method: string,
  raw: unknown,
): { readonly params: JsonObject | undefined; readonly repairs: readonly string[] } {
  if (raw === undefined) return { params: {}, repairs: NO_REPAIRS }
  if (raw === null) return { params: {}, repairs: ['params is null'] }
  if (isEmptyList(raw)) return { params: {}, repairs: ['params is an empty array'] }
  if (!isObject(raw)) return { params: undefined, repairs: NO_REPAIRS }
  const repairs = new Repairs()
  let value = cleaned(raw, PARAMS[method] ?? ANY_PARAMS, '', repairs)
  const { progressToken: token, _meta: meta } = value
  const isText = method === 'notifications/progress' && typeof token === 'string'
  if (isText && /^\d{1,15}$/u.test(token)) {
    repairs.add('progressToken is a string')
    value = { ...value, progressToken: Number(token) }
  }
  const isFit = meta === undefined || isObject(meta)
  return { params: isFit ? value : undefined, repairs: repairs.phrases() }
}

/** Counts repairs by their phrase, so that a list of a thousand elements makes one. */
class Repairs {
  /** Missing until there is one: most messages need none. */
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

/** Without the absent members of its shape; `path` ends in a dot unless it is the whole result. */
function cleaned(value: JsonObject, shape: Shape, path: string, repairs: Repairs): JsonObject {
  let copy: Record<string, unknown> | undefined
  // By the members that are there: a call's result has one or two, and shapes know ten.
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
    else if (inner && isObject(member)) next = cleaned(member, inner, `${path}${key}.`, repairs)
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
    if (!isObject(element)) continue
    const next = cleaned(element, shape, path, repairs)
    if (next !== element) (copy ??= [...(list as unknown[])])[index] = next
  }
  const all = copy ?? list
  if (shape !== ICON) return all
  const shown = all.filter((icon) => !isObject(icon) || (icon.src !== '' && icon.src !== null))
  if (shown.length < all.length) repairs.add(`${path}src is empty`)
  return shown.length < all.length ? shown : all
}

/** How a member says that it is absent; undefined where it is there. */
function absenceOf(key: string, member: unknown, shape: Shape): string | undefined {
  if (member === null) return shape.optional.includes(key) ? 'null' : undefined
  if (member === '')
    return ADDRESSES.includes(key) && shape.optional.includes(key) ? 'empty' : undefined
  if (!isEmptyList(member) || !shape.optional.includes(key)) return undefined
  return key === '_meta' || shape.objects?.[key] !== undefined ? 'an empty array' : undefined
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

const DISTINCT_NAME: Readonly<Record<string, readonly [list: string, from: string]>> = {
  'resources/list': ['resources', 'uri'],
  'resources/templates/list': ['resourceTemplates', 'uriTemplate'],
}

/** A resource without a name is called by its address. */
function withNames(method: string, result: JsonObject, repairs: Repairs): JsonObject {
  const [list, from] = DISTINCT_NAME[method] ?? []
  const elements = list === undefined ? undefined : result[list]
  if (list === undefined || from === undefined || !Array.isArray(elements)) return result
  const isUnnamed = (one: unknown): one is JsonObject =>
    isObject(one) && (one.name === undefined || one.name === null) && typeof one[from] === 'string'
  if (!elements.some(isUnnamed)) return result
  const named = elements.map((one: unknown) => {
    if (!isUnnamed(one)) return one
    repairs.add(`${list}[].name is missing`)
    return { ...one, name: one[from] }
  })
  return { ...result, [list]: named }
}

/** The answer to `initialize` (MCP lifecycle) with what is missing in it. */
function handshake(result: JsonObject, repairs: Repairs): JsonObject {
  const value: Record<string, unknown> = { ...result }
  if (value.protocolVersion === undefined) {
    repairs.add('protocolVersion is missing')
    value.protocolVersion = LATEST_PROTOCOL_VERSION
  }
  if (typeof value.instructions !== 'string' && value.instructions !== undefined) {
    repairs.add('instructions is not a string')
    delete value.instructions
  }
  value.serverInfo = serverInfo(value.serverInfo, repairs)
  return value
}

/** Name and version are required; where one is missing the server is simply unknown by it. */
function serverInfo(raw: unknown, repairs: Repairs): JsonObject {
  if (!isObject(raw)) {
    repairs.add(`serverInfo is ${raw === undefined ? 'missing' : kindOf(raw)}`)
    return { name: '', version: '' }
  }
  const info: Record<string, unknown> = { ...raw }
  for (const key of ['name', 'version', 'title', 'description', 'websiteUrl']) {
    const member = info[key]
    const isRequired = key === 'name' || key === 'version'
    if (typeof member === 'string' || (member === undefined && !isRequired)) continue
    repairs.add(`serverInfo.${key} is ${member === undefined ? 'missing' : kindOf(member)}`)
    if (isRequired) info[key] = typeof member === 'number' ? String(member) : ''
    else Reflect.deleteProperty(info, key)
  }
  if (info.icons !== undefined && !Array.isArray(info.icons)) delete info.icons
  return info
}

const FLAGS: readonly string[] = ['listChanged', 'subscribe']

/** Each capability as an object: `true` and a list declare one, `false` and `null` none; `problem` names the first that is neither. */
function readCapabilities(
  raw: unknown,
  repairs: Repairs,
): { readonly capabilities: unknown; readonly problem?: string | undefined } {
  const expected = 'but an object is expected'
  if (raw === undefined || isEmptyList(raw)) {
    repairs.add(`capabilities is ${raw === undefined ? 'missing' : 'an empty array'}`)
    return { capabilities: {} }
  }
  if (!isObject(raw))
    return { capabilities: raw, problem: `capabilities is ${kindOf(raw)}, ${expected}` }
  const capabilities: Record<string, unknown> = {}
  let problem: string | undefined
  for (const [key, member] of Object.entries(raw)) {
    const path = `capabilities.${key}`
    if (isObject(member)) capabilities[key] = withFlags(path, member, repairs)
    else if (member === true || Array.isArray(member)) {
      repairs.add(`${path} is ${member === true ? 'true' : 'an array'}`)
      capabilities[key] = {}
    } else if (member === false || member === null) repairs.add(`${path} is ${String(member)}`)
    else problem ??= `${path} is ${kindOf(member)}, ${expected}`
  }
  return { capabilities, problem }
}

function withFlags(path: string, capability: JsonObject, repairs: Repairs): JsonObject {
  const members = Object.entries(capability).filter(([key, flag]) => {
    const isOdd = FLAGS.includes(key) && typeof flag !== 'boolean'
    if (isOdd) repairs.add(`${path}.${key} is ${kindOf(flag)}`)
    return !isOdd && flag !== null
  })
  return Object.fromEntries(members)
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'string') return 'a string'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
