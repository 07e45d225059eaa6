import { specTypeSchemas } from '@modelcontextprotocol/client'

import {
  isJsonObject,
  type JsonObject,
} from '../../../../src-shared/domain/server-json/tolerant-reader'

/** First protocol versions with these content blocks. */
const LINKS_SINCE = '2025-06-18'
const AUDIO_SINCE = '2025-03-26'
/** Optional members of blocks and of resources in them: null means that they are absent. */
const OPTIONAL = new Set([
  ...['annotations', '_meta', 'title', 'description', 'mimeType', 'icons', 'size', 'text', 'blob'],
  ...['audience', 'priority', 'lastModified', 'data', 'sizes', 'theme'],
])
/** Members that a block can do without. */
const DECORATIONS = ['annotations', '_meta', 'icons', 'size']
const DATA_URL = /^data:([^;,]*)(?:;[^,]*)?,/u
const HEAD = /^[A-Za-z0-9+/=\s]*$/u
const HEAD_LENGTH = 128
const LONGEST_SHOWN = 200

/** Whether agents of a protocol version take a block as it is; looks at large data only in part. */
export function isValidBlock(block: unknown, version: string): block is JsonObject {
  if (!isJsonObject(block)) return false
  const isBare = block.annotations === undefined && block._meta === undefined
  switch (block.type) {
    case 'text':
      return typeof block.text === 'string' && (isBare || isOfficial(block))
    case 'audio':
      return version >= AUDIO_SINCE && isValidMedia(block, isBare)
    case 'image':
      return isValidMedia(block, isBare)
    case 'resource_link':
      return version >= LINKS_SINCE && isOfficial(block)
    case 'resource':
      return isValidResource(block)
    default:
      return false
  }
}

function isValidMedia(block: JsonObject, isBare: boolean): boolean {
  const { mimeType, data } = block
  if (typeof mimeType !== 'string' || !isBase64(data)) return false
  return isBare || isOfficial({ ...block, data: '' })
}

function isValidResource(block: JsonObject): boolean {
  const { resource } = block
  if (!isJsonObject(resource) || resource.blob === undefined) return isOfficial(block)
  return isBase64(resource.blob) && isOfficial({ ...block, resource: { ...resource, blob: '' } })
}

/**
 * A block that agents of a protocol version take: the block without members that are null or invalid, where its meaning
 * stays, else a text in its place that says what is missing.
 */
export function repairBlock(raw: unknown, place: number, version: string): JsonObject {
  if (typeof raw === 'string') return { type: 'text', text: raw }
  const block = isJsonObject(raw) ? normalized(raw) : {}
  if (isValidBlock(plain(block), version)) return block
  const { type } = block
  if (type === 'resource_link' && version < LINKS_SINCE && isValidBlock(plain(block), LINKS_SINCE))
    return { type: 'text', text: `${String(block.title ?? block.name)}: ${String(block.uri)}` }
  let bare = block
  for (const member of DECORATIONS) {
    const { [member]: _, ...others } = bare
    bare = others
    if (isValidBlock(plain(bare), version)) return bare
  }
  return { type: 'text', text: noticeOf(type, place) }
}

/** What an agent reads in the place of something that it cannot be given. */
export function noticeOf(type: unknown, place: number): string {
  const what = typeof type === 'string' ? `of type ${JSON.stringify(type)}` : 'without a type'
  const shown = what.slice(0, LONGEST_SHOWN)
  return `[Patchbay removed part ${place} of this result, ${shown}: its format is invalid.]`
}

/** Whether a text can be the Base64 of a file; of a long one the beginning is read, and signs that other forms have are searched. */
export function isBase64(data: unknown): data is string {
  if (typeof data !== 'string') return false
  return HEAD.test(data.slice(0, HEAD_LENGTH)) && !/[-_]/u.test(data.slice(HEAD_LENGTH))
}

/** The value without nulls in members that are optional in MCP; free JSON below `_meta` stays. */
export function withoutNulls(value: JsonObject): JsonObject {
  const members = Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
    if (member === null && OPTIONAL.has(key)) return []
    const isPart = ['annotations', 'resource'].includes(key) && isJsonObject(member)
    return [[key, isPart ? withoutNulls(member) : member]]
  })
  return Object.fromEntries(members)
}

function normalized(raw: JsonObject): JsonObject {
  const block = withoutNulls(raw)
  const { type, text, data, mimeType, resource } = block
  if (type === undefined && typeof text === 'string') return { type: 'text', ...block }
  // Some write an object where its JSON is meant.
  if (type === 'text' && text !== undefined && typeof text !== 'string')
    return { ...block, text: JSON.stringify(text) }
  if ((type === 'image' || type === 'audio') && typeof data === 'string')
    return { ...block, ...(mimeType === undefined && typeNamedBy(data)), data: asBase64(data) }
  if (type === 'resource' && isJsonObject(resource) && typeof resource.blob === 'string')
    return { ...block, resource: { ...resource, blob: asBase64(resource.blob) } }
  return block
}

/** The type of data that is an address of itself (RFC 2397). */
function typeNamedBy(data: string): { readonly mimeType?: string } {
  const [, mimeType = ''] = DATA_URL.exec(data) ?? []
  return mimeType === '' ? {} : { mimeType }
}

/** Base64 of an address with data or in the alphabet for addresses, in the usual form (RFC 4648). */
export function asBase64(data: string): string {
  return data.replace(DATA_URL, '').replaceAll('-', '+').replaceAll('_', '/')
}

function isOfficial(block: JsonObject): boolean {
  return specTypeSchemas.ContentBlock['~standard'].validate(block).issues === undefined
}

/** Numbers as JavaScript reads them; see `exactJson`. */
function plain(block: JsonObject): unknown {
  return JSON.parse(JSON.stringify(block))
}
