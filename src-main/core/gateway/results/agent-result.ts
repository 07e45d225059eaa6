import { specTypeSchemas } from '@modelcontextprotocol/client'

import {
  isJsonObject,
  type JsonObject,
} from '../../../../src-shared/domain/server-json/tolerant-reader'
import { exactJson } from '../../mcp/json/exact-json'
import { exactResult, type ResultText, writtenResult } from '../../mcp/json/result-text'
import {
  asBase64,
  isBase64,
  isValidBlock,
  noticeOf,
  repairBlock,
  withoutNulls,
} from './content-block'

/** Values of one completion (MCP, completion/complete). */
const MOST_VALUES = 100
const ROLES: readonly unknown[] = ['user', 'assistant']

/** The first protocol version without sessions (MCP 2026-07-28). */
const STATELESS = '2026-07-28'

/**
 * The result of a tool as agents of a protocol version take it. An ordinary result is the same object, with the text of
 * its server; an invalid part is repaired or replaced alone. `outputSchema` is that of the listed tool.
 */
export function toolResult(
  answer: ResultText,
  version: string,
  outputSchema?: unknown,
): ResultText {
  const { own, result, isNormalized = false } = answer
  const isValid = !isNormalized && isValidToolResult(result, version)
  const wraps = version < STATELESS && isWrapped(result, outputSchema)
  if (isValid && !wraps) return answer
  const exact = own ? (exactJson(own.toString()) as JsonObject) : exactResult(answer)
  const repaired = isValid ? exact : repairedToolResult(exact, version)
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
  const hasStructured = structuredContent !== undefined && structuredContent !== null
  const text = hasStructured ? [{ type: 'text', text: JSON.stringify(structuredContent) }] : []
  return {
    ...(isJsonObject(_meta) && { _meta }),
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

/** The result of `prompts/get` as agents take it. */
export function promptResult(result: JsonObject, version: string): JsonObject {
  const { messages, description, _meta, ...others } = result
  return {
    ...(isJsonObject(_meta) && { _meta }),
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
  }
}

/** The result of `resources/read` as agents take it; `uri` is what was asked for. */
export function resourceResult(result: JsonObject, uri: unknown): JsonObject {
  const { contents, _meta, ...others } = result
  return {
    ...(isJsonObject(_meta) && { _meta }),
    ...others,
    contents: asList(contents).map((one, at) => contentsOf(one, at + 1, uri)),
  }
}

function contentsOf(raw: unknown, place: number, asked: unknown): JsonObject {
  const one = isJsonObject(raw) ? withoutNulls(raw) : {}
  const { _meta, text, mimeType, ...others } = one
  const uri = typeof one.uri === 'string' ? one.uri : asked
  const kept = {
    ...others,
    uri,
    ...(typeof mimeType === 'string' && { mimeType }),
    ...(isJsonObject(_meta) && { _meta }),
  }
  if (typeof text === 'string') return { ...kept, text }
  if (text !== undefined) return { ...kept, text: JSON.stringify(text) }
  const blob = typeof one.blob === 'string' ? asBase64(one.blob) : undefined
  return isBase64(blob)
    ? { ...kept, blob }
    : { uri, mimeType: 'text/plain', text: noticeOf('resource', place) }
}

/** The result of `completion/complete` as agents take it. */
export function completionResult(result: JsonObject): JsonObject {
  if (specTypeSchemas.CompleteResult['~standard'].validate(result).issues === undefined)
    return result
  const completion = isJsonObject(result.completion) ? result.completion : {}
  const { total, hasMore } = completion
  const all = asList(completion.values).filter((value) => typeof value === 'string')
  const values = all.slice(0, MOST_VALUES)
  return {
    ...(isJsonObject(result._meta) && { _meta: result._meta }),
    completion: {
      values,
      ...(Number.isInteger(total) && { total }),
      ...(all.length > values.length
        ? { hasMore: true }
        : typeof hasMore === 'boolean' && { hasMore }),
    },
  }
}

function repairedBlock(block: unknown, place: number, version: string): unknown {
  return isValidBlock(block, version) ? block : repairBlock(block, place, version)
}

function hasContent(content: unknown): boolean {
  return content !== undefined && content !== null && !isEmptyObject(content)
}

function isEmptyObject(value: unknown): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0
}

/** One block, or a text, stands for a list of it. */
function blocksOf(content: unknown): readonly unknown[] {
  return Array.isArray(content) ? content : hasContent(content) ? [content] : []
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
