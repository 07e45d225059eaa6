import { attempt, jsonIn } from '../../../../src-shared/domain/attempt'
import { asList, isJsonObject, type JsonObject } from '../../../../src-shared/domain/json-object'
import { exactJson, isRawJson } from '../../mcp/json/exact-json'
import { exactResult, type ResultText, writtenResult } from '../../mcp/json/result-text'
import { normalizeResult } from '../../mcp/json/schemas'
import { STATELESS_VERSION } from '../../mcp/peer/connection'
import { findProblems } from '../arguments/argument-messages'
import {
  asBase64,
  type BlockContext,
  isBase64,
  isBlankText,
  isOfficial,
  isValidBlock,
  noticeOf,
  pictureTypeOf,
  repairedBlocks,
  textBlock,
} from './content-block'

const MAX_VALUES = 100
const ROLES: readonly unknown[] = ['user', 'assistant']
/** Longer texts aren't tried as structured content, in characters. */
const MAX_TEXT_LENGTH = 1024 * 1024
/** Replacement for a result without anything to read. */
const NOTHING = '(no output)'
const FAILED = 'The tool failed without a message.'
const NOTICE =
  "[Patchbay: the call succeeded, but its structured result does not match the tool's output schema. Only its text is passed on.]"

/**
 * Returns a tool's result as agents of a protocol version accept it. The same object, unless an invalid part has to be repaired or
 * replaced. `outputSchema` is that of the listed tool.
 */
export function toolResult(
  answer: ResultText,
  { outputSchema, ...context }: BlockContext & { readonly outputSchema?: unknown },
): ResultText {
  const { version } = context
  const { own, result, isNormalized = false } = answer
  const isValid = !isNormalized && isValidToolResult(result, version)
  const wraps = version < STATELESS_VERSION && isWrapped(result, outputSchema)
  if (isValid && !wraps) return answer
  const exact = own ? (exactJson(own.toString()) as JsonObject) : exactResult(answer)
  const repaired = isValid ? exact : repairedToolResult(normalized('tools/call', exact), context)
  return writtenResult(wraps ? wrapped(repaired) : repaired)
}

/** Whether sessions get the structured content wrapped in an object; see `sessionOutputSchema`. */
function isWrapped({ structuredContent }: JsonObject, outputSchema: unknown): boolean {
  if (structuredContent === undefined || structuredContent === null) return false
  const isOfObject = !isJsonObject(outputSchema) || outputSchema.type === 'object'
  return !isJsonObject(structuredContent) || !isOfObject
}

/** Wraps the structured content, and adds its text for agents that read no structured content (MCP, SEP-2106). */
function wrapped(result: JsonObject): JsonObject {
  const { structuredContent } = result
  const content = asList(result.content)
  const hasText = content.some((block) => isJsonObject(block) && block.type === 'text')
  const text = textBlock(JSON.stringify(structuredContent))
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
    (content.length > 0 || isUnfinished(resultType)) &&
    content.every((block) => !isBlankText(block) && isValidBlock(block, version))
  )
}

/** Whether a result asks for more input first (MCP 2026-07-28). */
function isUnfinished(resultType: unknown): boolean {
  return typeof resultType === 'string' && resultType !== 'complete'
}

function repairedToolResult(result: JsonObject, context: BlockContext): JsonObject {
  const { content, isError, _meta, structuredContent, resultType, ...others } = result
  const hasStructured = structuredContent !== undefined
  const blocks = blocksOf(content)
    .flatMap((block, at) => (isBlankText(block) ? [] : repairedBlocks(block, at + 1, context)))
    .filter((block) => !isBlankText(block))
  const isEmpty = blocks.length === 0 && !isUnfinished(resultType) && !isJsonObject(others.task)
  const errorText = isEmpty ? errorMessageIn(others.error) : undefined
  const isFailed = isError === true || isError === 'true' || errorText !== undefined
  const nothing = isFailed ? FAILED : NOTHING
  const filler = hasStructured ? JSON.stringify(structuredContent) : nothing
  return {
    ...metaOf(result),
    ...others,
    content: isEmpty ? [textBlock(errorText ?? filler)] : blocks,
    ...(hasStructured && { structuredContent }),
    ...(typeof resultType === 'string' && { resultType }),
    ...(isFailed && { isError: true }),
    ...(isError === false && !isFailed && { isError }),
  }
}

/** Returns the message of an error that a server put into the result in place of content, as some frameworks do. */
function errorMessageIn(error: unknown): string | undefined {
  if (error === undefined || error === null || error === false || error === '') return undefined
  const { message, ...others } = isJsonObject(error) ? error : { message: error }
  const isOnlyMessage = typeof message === 'string' && Object.keys(others).length === 0
  return isOnlyMessage ? message : JSON.stringify(error)
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
      return blocksOf(content)
        .flatMap((block) => repairedBlocks(block, at + 1, { version }))
        .map((block) => ({
          ...more,
          role: ROLES.includes(role) ? role : 'user',
          content: block,
        }))
    }),
  })
}

/** Returns the result of `resources/read` as agents accept it; `requestedUri` is that of the request. */
export function resourceResult(answer: ResultText, requestedUri: unknown): ResultText {
  const result = normalized('resources/read', exactResult(answer))
  const { contents, _meta, ...others } = result
  return writtenResult({
    ...metaOf(result),
    ...others,
    contents: asList(contents).map((one, at) =>
      contentsOf(isJsonObject(one) ? one : {}, at + 1, requestedUri),
    ),
  })
}

function contentsOf(one: JsonObject, position: number, requestedUri: unknown): JsonObject {
  const { _meta, text, blob: rawBlob, mimeType, ...others } = one
  const uri = typeof one.uri === 'string' ? one.uri : requestedUri
  const blob = typeof rawBlob === 'string' ? asBase64(rawBlob) : undefined
  const type = blob === undefined ? mimeType : pictureTypeOf(mimeType, blob)
  const common = {
    ...others,
    uri,
    ...(typeof type === 'string' && { mimeType: type }),
    ...metaOf(one),
  }
  if (text !== undefined)
    return { ...common, text: typeof text === 'string' ? text : JSON.stringify(text) }
  if (isBase64(blob)) return { ...common, blob }
  return { uri, mimeType: 'text/plain', text: noticeOf('resource', position) }
}

function isInteger(value: unknown): boolean {
  return Number.isInteger(isRawJson(value) ? Number(JSON.stringify(value)) : value)
}

export function completionResult(answer: ResultText): ResultText {
  const result = exactResult(answer)
  if (isOfficial('CompleteResult', result)) return writtenResult(result)
  const completion = isJsonObject(result.completion) ? result.completion : {}
  const { total, hasMore } = completion
  const all = asList(completion.values).filter((value) => typeof value === 'string')
  const values = all.slice(0, MAX_VALUES)
  return writtenResult({
    ...metaOf(result),
    completion: {
      values,
      ...(isInteger(total) && { total }),
      ...(all.length > values.length
        ? { hasMore: true }
        : typeof hasMore === 'boolean' && { hasMore }),
    },
  })
}

/** Normalizes a result again: its text may still have members that were removed from its value on arrival. */
function normalized(method: string, result: JsonObject): JsonObject {
  return normalizeResult(method, result).value
}

function metaOf({ _meta }: JsonObject): JsonObject {
  return isJsonObject(_meta) ? { _meta } : {}
}

/** Absent content is an empty list in PHP, and an empty object in other languages. */
function hasContent(content: unknown): boolean {
  if (content === undefined || content === null) return false
  return !isJsonObject(content) || Object.keys(content).length > 0
}

/** A single block or text counts as a list of one. */
function blocksOf(content: unknown): readonly unknown[] {
  return Array.isArray(content) ? content : hasContent(content) ? [content] : []
}

/** A result that fits its tool's output schema, and why the server's own didn't. */
export type CheckedResult = { readonly answer: ResultText; readonly problem?: string }

/**
 * Fills structured content from a text that is valid JSON for the schema. A result that breaks the schema becomes an error with the
 * server's text, because an SDK would discard it.
 */
export function enforceOutputSchema(answer: ResultText, outputSchema: unknown): CheckedResult {
  const { result } = answer
  if (!isJsonObject(outputSchema)) return { answer }
  const { structuredContent, isError } = result
  // The schema doesn't cover failures; SDKs don't check them either.
  if (isError === true) return { answer }
  const isMissing = structuredContent === undefined || structuredContent === null
  const problem = isMissing
    ? 'structured content is missing'
    : problemOf(outputSchema, structuredContent)
  if (problem === undefined) return { answer }
  const exact = exactResult(answer)
  const { structuredContent: received, ...others } = exact
  const filled = isMissing ? filledFrom(exact, outputSchema) : undefined
  if (filled !== undefined)
    return { answer: writtenResult({ ...exact, structuredContent: filled }) }
  const original = asList(exact.content)
  const text = isMissing ? [] : [{ type: 'text', text: JSON.stringify(received) }]
  const content = [...(original.length > 0 ? original : text), { type: 'text', text: NOTICE }]
  return { answer: writtenResult({ ...others, content, isError: true }), problem }
}

/** Returns the structured content in the only text of a result. */
function filledFrom({ content }: JsonObject, outputSchema: JsonObject): unknown {
  const [block, ...others] = asList(content)
  if (others.length > 0 || !isJsonObject(block) || typeof block.text !== 'string') return undefined
  const { text } = block
  if (text.length > MAX_TEXT_LENGTH) return undefined
  const value = jsonIn(text) ?? undefined
  return value === undefined || problemOf(outputSchema, value) !== undefined
    ? undefined
    : exactJson(text)
}

/** Returns a fault; undefined if the content fits, or if that can't be decided. */
function problemOf(outputSchema: JsonObject, content: unknown): string | undefined {
  return attempt(() => findProblems(outputSchema, content))?.[0]?.message
}
