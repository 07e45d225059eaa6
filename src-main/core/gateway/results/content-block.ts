import { specTypeSchemas } from '@modelcontextprotocol/client'

import { attempt } from '../../../../src-shared/domain/attempt'
import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json-object'
import { STATELESS_VERSION } from '../../mcp/peer/connection'

/** Inspected characters of Base64: the first 24 bytes. */
const MEDIA_HEAD_LENGTH = 32

/** First bytes of the images and audio that models accept, as Latin-1 text. */
const SIGNATURES: readonly (readonly [type: string, head: RegExp])[] = [
  ['image/png', /^\x89PNG\r\n/u],
  ['image/jpeg', /^\xFF\xD8\xFF/u],
  ['image/gif', /^GIF8[79]a/u],
  ['image/webp', /^RIFF[\s\S]{4}WEBP/u],
  ['audio/wav', /^RIFF[\s\S]{4}WAVE/u],
  ['audio/mpeg', /^(?:ID3|\xFF[\xE2\xE3\xF2\xF3\xFA\xFB])/u],
  ['audio/ogg', /^OggS/u],
  ['audio/flac', /^fLaC/u],
  ['audio/mp4', /^[\s\S]{4}ftyp(?:M4A|M4B|mp4|isom|dash)/u],
]

/** Returns the type of an image or audio by its first bytes; undefined for anything else. `data` is Base64. */
function detectMediaType(data: string): string | undefined {
  const head = Buffer.from(data.slice(0, MEDIA_HEAD_LENGTH), 'base64').toString('latin1')
  return SIGNATURES.find(([, signature]) => signature.test(head))?.[0]
}

/**
 * Returns the text of a file that a server mislabels as image or audio: SVG, a web page, JSON. Undefined if the bytes aren't UTF-8 text.
 */
function textOfMedia(data: string): string | undefined {
  const bytes = Buffer.from(data, 'base64')
  const text = attempt(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  // eslint-disable-next-line no-control-regex -- text has none of these
  return text === undefined || /[\0-\x08\x0E-\x1A]/u.test(text) ? undefined : text
}

/** First protocol versions with these content blocks. */
const SINCE: Readonly<Record<string, string>> = { audio: '2025-03-26', resource_link: '2025-06-18' }
/** Optional members of a block. */
const DECORATIONS = ['annotations', '_meta', 'icons', 'size']
const DATA_URL = /^data:([^;,]+)?(?:;[^,]*)?,/u
const BASE64_HEAD = /^[A-Za-z0-9+/=\s]*$/u
const HEAD_LENGTH = 128
const MAX_SHOWN_LENGTH = 200
/** Longer data is neither decoded nor read as text, in characters. */
const MAX_TEXT_LENGTH = 1024 * 1024

/** The agent's protocol version, and the callback for wrong types of images and audio. */
export type BlockContext = {
  readonly version: string
  readonly onRetyped?: (given: string, found: string) => void
}

/** Whether agents of a protocol version accept a block unchanged; inspects large data only in part. */
export function isValidBlock(block: unknown, version: string): boolean {
  if (!isJsonObject(block)) return false
  const { type, text, annotations, _meta } = block
  // Most blocks are of this kind.
  if (type === 'text' && annotations === undefined && _meta === undefined)
    return typeof text === 'string'
  if (typeof type === 'string' && version < (SINCE[type] ?? '')) return false
  if (type === 'image' || type === 'audio') return isTrueMedia(type, block)
  return type === 'resource' ? isValidResource(block) : isOfficial('ContentBlock', block)
}

function isValidResource(block: JsonObject): boolean {
  const { resource } = block
  if (!isJsonObject(resource) || resource.blob === undefined)
    return isOfficial('ContentBlock', block)
  const small = { ...block, resource: { ...resource, blob: '' } }
  if (!isBase64(resource.blob) || !isOfficial('ContentBlock', small)) return false
  return pictureTypeOf(resource.mimeType, resource.blob) === resource.mimeType
}

/** Whether models accept images or audio of this type, and its first bytes match. */
function isTrueMedia(kind: 'image' | 'audio', block: JsonObject): boolean {
  const { data, mimeType } = block
  if (!isBase64(data) || !isOfficial('ContentBlock', { ...block, data: '' })) return false
  const found = detectMediaType(data)
  if (found !== undefined) return found === mimeType && found.startsWith(`${kind}/`)
  // There are too many audio formats to know: data that can't be text counts as its declared type.
  return kind === 'audio' && isSound(String(mimeType)) && !isShortText(data)
}

function isSound(mimeType: string): boolean {
  return /^audio\/[^\s/]/u.test(mimeType)
}

function isShortText(data: string): boolean {
  return data.length <= MAX_TEXT_LENGTH && textOfMedia(data) !== undefined
}

/** Returns the type of a file declared as an image: by its bytes if they are those of an image. */
export function pictureTypeOf(mimeType: unknown, blob: string): unknown {
  if (typeof mimeType !== 'string' || !/^\s*image\//iu.test(mimeType)) return mimeType
  const found = detectMediaType(blob)
  return found?.startsWith('image/') ? found : mimeType
}

/**
 * Returns a block as agents of a protocol version accept it: without invalid members, with the right type, otherwise a text instead. A file
 * that isn't an image becomes two blocks. `place` is its number in the result.
 */
export function repairedBlocks(raw: unknown, position: number, context: BlockContext): unknown[] {
  const { version } = context
  if (isValidBlock(raw, version)) return [raw]
  if (typeof raw === 'string') return [textBlock(raw)]
  const block = isJsonObject(raw) ? meantBlock(raw) : {}
  const isMedia = block.type === 'image' || block.type === 'audio'
  return isMedia && isBase64(block.data)
    ? mediaBlocks(block, block.data, position, context)
    : [repairedBlock(block, position, version)]
}

function mediaBlocks(
  block: JsonObject,
  data: string,
  place: number,
  { version, onRetyped }: BlockContext,
): unknown[] {
  const found = detectMediaType(data)
  const declared = typeof block.mimeType === 'string' ? block.mimeType : ''
  if (found === undefined) {
    const isOther = block.type === 'audio' && isSound(declared) && !isShortText(data)
    return isOther ? [repairedBlock(block, place, version)] : otherFile(block, place)
  }
  if (declared !== found) onRetyped?.(declared, found)
  const type = found.startsWith('image/') ? 'image' : 'audio'
  return [repairedBlock({ ...block, type, mimeType: found }, place, version)]
}

/** Returns blocks for data declared as image or audio that models don't accept: its text, or the file with a sentence. */
function otherFile({ type, mimeType, data }: JsonObject, place: number): unknown[] {
  const bytes = String(data)
  const called = typeof mimeType === 'string' ? mimeType.slice(0, MAX_SHOWN_LENGTH) : String(type)
  if (bytes.trim() === '')
    return [textBlock(`[Patchbay: part ${place} of this result, of type ${called}, is empty.]`)]
  const text = bytes.length <= MAX_TEXT_LENGTH ? textOfMedia(bytes) : undefined
  if (text !== undefined)
    return [
      textBlock(`[Patchbay: part ${place} of this result, of type ${called}, is text.]\n${text}`),
    ]
  const notice = `[Patchbay: part ${place} of this result, of type ${called}, is no picture or sound that models take. It follows as a file.]`
  const isType = /^[\w.+-]+\/[\w.+-]+$/u.test(called)
  const resource = {
    uri: `patchbay://result/part-${place}`,
    mimeType: isType ? called.toLowerCase() : 'application/octet-stream',
    blob: bytes,
  }
  return [textBlock(notice), { type: 'resource', resource }]
}

/** Whether a text block is empty; some models reject these. */
export function isBlankText(block: unknown): boolean {
  if (!isJsonObject(block) || block.type !== 'text') return false
  const { text } = block
  return text === undefined || text === null || (typeof text === 'string' && text.trim() === '')
}

export function textBlock(text: string): JsonObject {
  return { type: 'text', text }
}

/** Returns a block without invalid members, otherwise a text instead. */
function repairedBlock(block: JsonObject, position: number, version: string): unknown {
  const { type, title, name, uri } = block
  if (isValidBlock(plain(block), version)) return block
  if (type === 'resource_link' && isValidBlock(plain(block), STATELESS_VERSION))
    return textBlock(`${String(title ?? name)}: ${String(uri)}`)
  let normalized = block
  for (const member of DECORATIONS) {
    const { [member]: _, ...others } = normalized
    normalized = others
    if (isValidBlock(plain(normalized), version)) return normalized
  }
  return textBlock(noticeOf(type, position))
}

function meantBlock(block: JsonObject): JsonObject {
  const { type, text, data, resource } = block
  if (type === undefined && typeof text === 'string') return { type: 'text', ...block }
  // Some servers send an object in place of its JSON text.
  if (type === 'text' && text !== null && text !== undefined && typeof text !== 'string')
    return { ...block, text: JSON.stringify(text) }
  if ((type === 'image' || type === 'audio') && typeof data === 'string')
    return { mimeType: DATA_URL.exec(data)?.[1], ...block, data: asBase64(data) }
  if (type === 'resource' && isJsonObject(resource) && typeof resource.blob === 'string')
    return { ...block, resource: { ...resource, ...fileOf(resource.mimeType, resource.blob) } }
  return block
}

/** Returns the bytes of a file in standard Base64, with the right type. */
function fileOf(mimeType: unknown, given: string): JsonObject {
  const blob = asBase64(given)
  const type = pictureTypeOf(mimeType, blob)
  return { ...(typeof type === 'string' && { mimeType: type }), blob }
}

/** Returns the text for an agent in place of content that it can't be given. */
export function noticeOf(type: unknown, position: number): string {
  const what = typeof type === 'string' ? `of type ${JSON.stringify(type)}` : 'without a type'
  const shown = what.slice(0, MAX_SHOWN_LENGTH)
  return `[Patchbay removed part ${position} of this result, ${shown}: its format is invalid.]`
}

/** Whether a text is Base64 of a file; of a long one only the beginning is checked, and characters of other forms are searched. */
export function isBase64(data: unknown): data is string {
  if (typeof data !== 'string') return false
  if (data.length <= MAX_TEXT_LENGTH) return attempt(() => atob(data)) !== undefined
  return BASE64_HEAD.test(data.slice(0, HEAD_LENGTH)) && !/[-_]/u.test(data.slice(HEAD_LENGTH))
}

/** Returns standard Base64 (RFC 4648) for a data URL (RFC 2397) or the URL-safe alphabet. */
export function asBase64(data: string): string {
  const text = data.replace(DATA_URL, '').replaceAll('-', '+').replaceAll('_', '/')
  // The URL-safe alphabet usually comes without padding, which strict decoders require.
  return /\s/u.test(text) ? text : text.padEnd(Math.ceil(text.length / 4) * 4, '=')
}

export function isOfficial(type: 'ContentBlock' | 'CompleteResult', value: JsonObject): boolean {
  return specTypeSchemas[type]['~standard'].validate(value).issues === undefined
}

/** Numbers as JavaScript reads them; see `exactJson`. */
function plain(block: JsonObject): unknown {
  return JSON.parse(JSON.stringify(block))
}
