import {
  isJsonObject,
  type JsonObject,
} from '../../../../src-shared/domain/server-json/tolerant-reader'
import { exactJson } from '../../mcp/json/exact-json'
import { exactResult, type ResultText, writtenResult } from '../../mcp/json/result-text'
import { findProblems } from '../arguments/schema-check'

/** Longer texts are not tried as structured content, in characters. */
const LONGEST_TEXT = 1024 * 1024
const NOTICE =
  "[Patchbay: the call succeeded, but its structured result does not match the tool's output schema. Only its text is passed on.]"

/** A result that keeps the output schema of its tool, and why the server's own did not. */
export type KeptResult = { readonly answer: ResultText; readonly problem?: string }

/**
 * A result that agents take which validate structured content (MCP, tools, output schema): structured content is filled
 * from a text that is the fitting JSON. A result that breaks the schema becomes an error with the server's text, as an
 * SDK would throw that away.
 */
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
  const given = Array.isArray(exact.content) ? (exact.content as unknown[]) : []
  const text = isMissing ? [] : [{ type: 'text', text: JSON.stringify(own) }]
  const content = [...(given.length > 0 ? given : text), { type: 'text', text: NOTICE }]
  return { answer: writtenResult({ ...others, content, isError: true }), problem }
}

/** Structured content that stands in the only text of a result. */
function filledFrom({ content }: JsonObject, outputSchema: JsonObject): unknown {
  const [block, ...others] = Array.isArray(content) ? (content as unknown[]) : []
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
