import { stripVTControlCharacters } from 'node:util'

import type { JSONRPCMessage } from '@modelcontextprotocol/client'

/** Deepest nesting taken from a server: what is deeper costs a parser far more than its bytes. */
const MAX_DEPTH = 512

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])
/** Where a message with its decoration (a byte order mark, colours) must have begun, in bytes. */
const LONGEST_DECORATION = 256

/** The JSON-RPC messages of one line, a batch as several; undefined when the line is none. Time linear in its bytes. */
export function readMessages(line: Buffer): JSONRPCMessage[] | undefined {
  const head = line.subarray(0, LONGEST_DECORATION)
  const mayBeJson = head.includes('{') || head.includes('[')
  if (!mayBeJson || isTooDeep(line)) return undefined
  const text = line.toString('utf8')
  const value = parseJson(text) ?? parseJson(withoutDecoration(text))
  const messages: unknown[] = Array.isArray(value) ? value : [value]
  return messages.length > 0 && messages.every(isJsonRpc) ? messages : undefined
}

function isTooDeep(line: Buffer): boolean {
  let depth = 0
  let isText = false
  for (let at = 0; at < line.length; at += 1) {
    const byte = line[at] ?? 0
    if (byte === BACKSLASH) at += 1
    else if (byte === QUOTE) isText = !isText
    else if (isText) continue
    else if (OPENING.has(byte)) depth += 1
    else if (CLOSING.has(byte)) depth -= 1
    if (depth > MAX_DEPTH) return true
  }
  return false
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
