import { stripVTControlCharacters } from 'node:util'

import type { JSONRPCMessage } from '@modelcontextprotocol/client'

import { keepSource } from './exact-json'

/** Deepest nesting taken from a server: what is deeper costs a parser far more than its bytes. */
export const MOST_LEVELS = 512

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
/** Bytes of a text that are looked at one by one: a native search costs more than a short text does. */
const NEAR_BYTES = 64
/** Where a message with its decoration (a byte order mark, colours) must have begun, in bytes. */
const LONGEST_DECORATION = 256

/** The messages of a line, a batch as several; `decorated` when something had to be stripped first. */
export type ReadLine = {
  readonly messages: readonly JSONRPCMessage[]
  readonly decorated: boolean
  readonly isBatch: boolean
  /** How many elements of a batch are no messages. */
  readonly malformed: number
  /** Where the first object or array within the outermost one stands; both 0 where there is none. */
  readonly inner: Span
}

/** Offsets in bytes, the second behind the last. */
type Span = { readonly from: number; readonly to: number }

/** The JSON-RPC messages of one line; undefined when the line is none (B4). Time linear in its bytes. */
export function readMessages(line: Buffer): ReadLine | undefined {
  const inner = mayBeJson(line) ? walk(line) : undefined
  if (!inner) return undefined
  const text = line.toString('utf8')
  const plain = messagesOf(parseJson(text))
  const first = plain?.messages[0]
  if (first && !plain.isBatch) keepSource(first, line)
  if (plain) return { ...plain, decorated: false, inner }
  const stripped = messagesOf(parseJson(withoutDecoration(text)))
  return stripped && { ...stripped, decorated: true, inner }
}

/** Whether a line that is no message is so for its nesting: nobody has tried what else it is. */
export function isTooDeep(line: Buffer): boolean {
  return mayBeJson(line) && walk(line) === undefined
}

function mayBeJson(line: Buffer): boolean {
  const head = line.subarray(0, LONGEST_DECORATION)
  return head.includes(OPEN_BRACE) || head.includes(OPEN_BRACKET)
}

/** A batch of which at least one element is a message: whoever waits for that one wants it. */
function messagesOf(
  value: unknown,
): Pick<ReadLine, 'messages' | 'isBatch' | 'malformed'> | undefined {
  if (isJsonRpc(value)) return { messages: [value], isBatch: false, malformed: 0 }
  if (!Array.isArray(value)) return undefined
  const elements: readonly unknown[] = value
  const messages = elements.filter((element) => isJsonRpc(element))
  if (messages.length === 0) return undefined
  return { messages, isBatch: true, malformed: elements.length - messages.length }
}

/** Where the first object or array within the outermost one stands; undefined when the line is nested too deep. */
function walk(line: Buffer): Span | undefined {
  let depth = 0
  let from = 0
  let to = 0
  for (let at = 0; at < line.length; at += 1) {
    const byte = line[at]
    if (byte === QUOTE) at = endOfText(line, at + 1)
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      depth += 1
      if (depth > MOST_LEVELS) return undefined
      if (depth === 2 && from === 0) from = at
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth -= 1
      if (depth === 1 && to === 0) to = at + 1
    }
  }
  return { from, to }
}

/** The offset of the quote that ends the text which begins at `from`; the line's length when none does. */
function endOfText(line: Buffer, from: number): number {
  let at = from
  for (;;) {
    const near = Math.min(line.length, at + NEAR_BYTES)
    for (; at < near; at += 1) {
      if (line[at] === QUOTE) return at
      if (line[at] === BACKSLASH) at += 1
    }
    const quote = at < line.length ? line.indexOf(QUOTE, at) : -1
    if (quote === -1) return line.length
    // `at` never stands behind a backslash, so those before the quote can be counted back to it.
    let first = quote
    while (first > at && line[first - 1] === BACKSLASH) first -= 1
    if ((quote - first) % 2 === 0) return quote
    at = quote + 1
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // not JSON: the caller sets the line aside
  }
}

function withoutDecoration(text: string): string {
  return stripVTControlCharacters(text.replace(/^\uFEFF/u, '')).trim()
}

function isJsonRpc(value: unknown): value is JSONRPCMessage {
  return (
    typeof value === 'object' && value !== null && 'jsonrpc' in value && value.jsonrpc === '2.0'
  )
}
