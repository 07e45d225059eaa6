import { specTypeSchemas } from '@modelcontextprotocol/client'

import {
  isJsonObject,
  type JsonObject,
} from '../../../../src-shared/domain/server-json/tolerant-reader'
import { exactJson } from '../../mcp/json/exact-json'
import { exactResult, type ResultText, writtenResult } from '../../mcp/json/result-text'
import { normalizeResult } from '../../mcp/json/schemas'
import { STATELESS_VERSION } from '../../mcp/peer/connection'
import { findProblems } from '../arguments/schema-check'

const MOST_VALUES = 100
const ROLES: readonly unknown[] = ['user', 'assistant']
/** First protocol versions with these content blocks. */
const SINCE: Readonly<Record<string, string>> = { audio: '2025-03-26', resource_link: '2025-06-18' }
/** Members that a block can do without. */
const DECORATIONS = ['annotations', '_meta', 'icons', 'size']
const DATA_URL = /^data:([^;,]+)?(?:;[^,]*)?,/u
const BASE64_HEAD = /^[A-Za-z0-9+/=\s]*$/u
const HEAD_LENGTH = 128
const LONGEST_SHOWN = 200
/** Longer texts are not tried as structured content, nor decoded, in characters. */
const LONGEST_TEXT = 1024 * 1024
const NOTICE =
  "[Patchbay: the call succeeded, but its structured result does not match the tool's output schema. Only its text is passed on.]"

/** The result of a tool as agents of a protocol version take it: the same object, but for an invalid part that is repaired or replaced alone. `outputSchema` is that of the listed tool. */
export function toolResult(
  answer: ResultText,
  version: string,
  outputSchema?: unknown,
): ResultText {
  const { own, result, isNormalized = false } = answer
  const isValid = !isNormalized && isValidToolResult(result, version)
  const wraps = version < STATELESS_VERSION && isWrapped(result, outputSchema)
  if (isValid && !wraps) return answer
  const exact = own ? (exactJson(own.toString()) as JsonObject) : exactResult(answer)
  const repaired = isValid ? exact : repairedToolResult(normalized('tools/call', exact), version)
  return writtenResult(wraps ? wrapped(repaired) : repaired)
}

/** Whether sessions get the structured content as the member of an object; see `sessionOutputSchema`. */
function isWrapped({ structuredContent }: JsonObject, outputSchema: unknown): boolean {
  if (structuredContent === undefined || structuredContent === null) return false
  const isOfObject = !isJsonObject(outputSchema) || outputSchema.type === 'object'
  return !isJsonObject(structuredContent) || !isOfObject
}

/** Agents that read no structured content get its text (MCP, SEP-2106). */
function wrapped(result: JsonObject): JsonObject {
  const { structuredContent } = result
  const content = asList(result.content)
  const hasText = content.some((block) => isJsonObject(block) && block.type === 'text')
  const text = { type: 'text', text: JSON.stringify(structuredContent) }
  return {
    ...result,
    ...(!hasText && !isJsonObject(structuredContent) && { content: [...content, text] }),
    structuredContent: { result: structuredContent },
  }
}

function isValidToolResult(
  { content, isError, _meta, structuredContent, resultType }: JsonObject,
  version: string,
): boolean {
  return (
    (isError === undefined || typeof isError === 'boolean') &&
    (_meta === undefined || isJsonObject(_meta)) &&
    structuredContent !== null &&
    resultType !== null &&
    Array.isArray(content) &&
    content.every((block) => isValidBlock(block, version))
  )
}

function repairedToolResult(result: JsonObject, version: string): JsonObject {
  const { content, isError, _meta, structuredContent, resultType, ...others } = result
  const hasStructured = structuredContent !== undefined
  const text = hasStructured ? [{ type: 'text', text: JSON.stringify(structuredContent) }] : []
  return {
    ...metaOf(result),
    ...others,
    content: hasContent(content)
      ? blocksOf(content).map((block, at) => repairedBlock(block, at + 1, version))
      : text,
    ...(hasStructured && { structuredContent }),
    ...(typeof resultType === 'string' && { resultType }),
    ...((isError === true || isError === 'true') && { isError: true }),
    ...(isError === false && { isError }),
  }
}

export function promptResult(answer: ResultText, version: string): ResultText {
  const result = normalized('prompts/get', exactResult(answer))
  const { messages, description, _meta, ...others } = result
  return writtenResult({
    ...metaOf(result),
    ...(typeof description === 'string' && { description }),
    ...others,
    messages: asList(messages).flatMap((message, at) => {
      const { role, content, ...more } = isJsonObject(message) ? message : { content: message }
      return blocksOf(content).map((block) => ({
        ...more,
        role: ROLES.includes(role) ? role : 'user',
        content: repairedBlock(block, at + 1, version),
      }))
    }),
  })
}

/** The result of `resources/read` as agents take it; `asked` is the URI that was asked for. */
export function resourceResult(answer: ResultText, asked: unknown): ResultText {
  const result = normalized('resources/read', exactResult(answer))
  const { contents, _meta, ...others } = result
  return writtenResult({
    ...metaOf(result),
    ...others,
    contents: asList(contents).map((one, at) =>
      contentsOf(isJsonObject(one) ? one : {}, at + 1, asked),
    ),
  })
}

function contentsOf(one: JsonObject, place: number, asked: unknown): JsonObject {
  const { _meta, text, blob: given, mimeType, ...others } = one
  const uri = typeof one.uri === 'string' ? one.uri : asked
  const kept = {
    ...others,
    uri,
    ...(typeof mimeType === 'string' && { mimeType }),
    ...metaOf(one),
  }
  if (text !== undefined)
    return { ...kept, text: typeof text === 'string' ? text : JSON.stringify(text) }
  const blob = typeof given === 'string' ? asBase64(given) : undefined
  if (isBase64(blob)) return { ...kept, blob }
  return { uri, mimeType: 'text/plain', text: noticeOf('resource', place) }
}

export function completionResult(answer: ResultText): ResultText {
  const result = exactResult(answer)
  if (isOfficial('CompleteResult', result)) return writtenResult(result)
  const completion = isJsonObject(result.completion) ? result.completion : {}
  const { total, hasMore } = completion
  const all = asList(completion.values).filter((value) => typeof value === 'string')
  const values = all.slice(0, MOST_VALUES)
  return writtenResult({
    ...metaOf(result),
    completion: {
      values,
      ...(Number.isInteger(total) && { total }),
      ...(all.length > values.length
        ? { hasMore: true }
        : typeof hasMore === 'boolean' && { hasMore }),
    },
  })
}

/** Whether agents of a protocol version take a block as it is; looks at large data only in part. */
function isValidBlock(block: unknown, version: string): boolean {
  if (!isJsonObject(block)) return false
  const { type, text, data, resource, annotations, _meta } = block
  // Most are of these.
  if (type === 'text' && annotations === undefined && _meta === undefined)
    return typeof text === 'string'
  if (typeof type === 'string' && version < (SINCE[type] ?? '')) return false
  if (type === 'image' || type === 'audio')
    return isBase64(data) && isOfficial('ContentBlock', { ...block, data: '' })
  if (type !== 'resource' || !isJsonObject(resource) || resource.blob === undefined)
    return isOfficial('ContentBlock', block)
  const small = { ...block, resource: { ...resource, blob: '' } }
  return isBase64(resource.blob) && isOfficial('ContentBlock', small)
}

/** A block that agents of a protocol version take: without members that are invalid, else a text in its place. */
function repairedBlock(raw: unknown, place: number, version: string): unknown {
  if (isValidBlock(raw, version)) return raw
  if (typeof raw === 'string') return { type: 'text', text: raw }
  const block = isJsonObject(raw) ? meantBlock(raw) : {}
  const { type, title, name, uri } = block
  if (isValidBlock(plain(block), version)) return block
  if (type === 'resource_link' && isValidBlock(plain(block), STATELESS_VERSION))
    return { type: 'text', text: `${String(title ?? name)}: ${String(uri)}` }
  let bare = block
  for (const member of DECORATIONS) {
    const { [member]: _, ...others } = bare
    bare = others
    if (isValidBlock(plain(bare), version)) return bare
  }
  return { type: 'text', text: noticeOf(type, place) }
}

function meantBlock(block: JsonObject): JsonObject {
  const { type, text, data, resource } = block
  if (type === undefined && typeof text === 'string') return { type: 'text', ...block }
  // Some write an object where its JSON is meant.
  if (type === 'text' && text !== null && text !== undefined && typeof text !== 'string')
    return { ...block, text: JSON.stringify(text) }
  if ((type === 'image' || type === 'audio') && typeof data === 'string')
    return { mimeType: DATA_URL.exec(data)?.[1], ...block, data: asBase64(data) }
  if (type === 'resource' && isJsonObject(resource) && typeof resource.blob === 'string')
    return { ...block, resource: { ...resource, blob: asBase64(resource.blob) } }
  return block
}

/** What an agent reads in the place of something that it cannot be given. */
function noticeOf(type: unknown, place: number): string {
  const what = typeof type === 'string' ? `of type ${JSON.stringify(type)}` : 'without a type'
  const shown = what.slice(0, LONGEST_SHOWN)
  return `[Patchbay removed part ${place} of this result, ${shown}: its format is invalid.]`
}

/** Whether a text is the Base64 of a file; of a long one the beginning is read, and signs that other forms have are searched. */
function isBase64(data: unknown): data is string {
  if (typeof data !== 'string') return false
  if (data.length <= LONGEST_TEXT) return isDecodable(data)
  return BASE64_HEAD.test(data.slice(0, HEAD_LENGTH)) && !/[-_]/u.test(data.slice(HEAD_LENGTH))
}

function isDecodable(data: string): boolean {
  try {
    atob(data)
    return true
  } catch {
    return false // not in the alphabet, or of a length that Base64 never has
  }
}

/** Base64 of a data URL (RFC 2397) or in the alphabet for addresses, in the usual form (RFC 4648). */
function asBase64(data: string): string {
  return data.replace(DATA_URL, '').replaceAll('-', '+').replaceAll('_', '/')
}

function isOfficial(type: 'ContentBlock' | 'CompleteResult', value: JsonObject): boolean {
  return specTypeSchemas[type]['~standard'].validate(value).issues === undefined
}

/** The text of a result may hold what its value was rid of at the door. */
function normalized(method: string, result: JsonObject): JsonObject {
  return normalizeResult(method, result).value
}

/** Numbers as JavaScript reads them; see `exactJson`. */
function plain(block: JsonObject): unknown {
  return JSON.parse(JSON.stringify(block))
}

function metaOf({ _meta }: JsonObject): JsonObject {
  return isJsonObject(_meta) ? { _meta } : {}
}

/** Absent in PHP is an empty list, in other languages an empty object. */
function hasContent(content: unknown): boolean {
  if (content === undefined || content === null) return false
  return !isJsonObject(content) || Object.keys(content).length > 0
}

/** One block, or a text, stands for a list of it. */
function blocksOf(content: unknown): readonly unknown[] {
  return Array.isArray(content) ? content : hasContent(content) ? [content] : []
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** A result that keeps the output schema of its tool, and why the server's own did not. */
export type KeptResult = { readonly answer: ResultText; readonly problem?: string }

/** Structured content is filled from a text that is the fitting JSON; a result that breaks the schema becomes an error with the server's text, as an SDK would throw that away. */
export function keepOutputSchema(answer: ResultText, outputSchema: unknown): KeptResult {
  const { result } = answer
  if (!isJsonObject(outputSchema)) return { answer }
  const { structuredContent, isError } = result
  const isMissing = structuredContent === undefined || structuredContent === null
  if (isMissing && isError === true) return { answer }
  const problem = isMissing
    ? 'structured content is missing'
    : problemOf(outputSchema, structuredContent)
  if (problem === undefined) return { answer }
  const exact = exactResult(answer)
  const { structuredContent: own, ...others } = exact
  if (isError === true) return { answer: writtenResult(others), problem }
  const filled = isMissing ? filledFrom(exact, outputSchema) : undefined
  if (filled !== undefined)
    return { answer: writtenResult({ ...exact, structuredContent: filled }) }
  const given = asList(exact.content)
  const text = isMissing ? [] : [{ type: 'text', text: JSON.stringify(own) }]
  const content = [...(given.length > 0 ? given : text), { type: 'text', text: NOTICE }]
  return { answer: writtenResult({ ...others, content, isError: true }), problem }
}

/** Structured content that stands in the only text of a result. */
function filledFrom({ content }: JsonObject, outputSchema: JsonObject): unknown {
  const [block, ...others] = asList(content)
  if (others.length > 0 || !isJsonObject(block) || typeof block.text !== 'string') return undefined
  const { text } = block
  if (text.length > LONGEST_TEXT) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return value === null || problemOf(outputSchema, value) !== undefined
      ? undefined
      : exactJson(text)
  } catch {
    return undefined // the text is no JSON
  }
}

/** Undefined where the content fits, or where that cannot be decided. */
function problemOf(outputSchema: JsonObject, content: unknown): string | undefined {
  try {
    return findProblems(outputSchema, content)[0]?.message
  } catch {
    return undefined // the schema takes too long
  }
}
