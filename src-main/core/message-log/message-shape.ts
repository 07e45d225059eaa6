import type { JSONRPCMessage } from '@modelcontextprotocol/client'

import type { MessageEntry } from '../../../src-shared/domain/agents/message-log'
import { isJsonObject } from '../../../src-shared/domain/json-object'

/** What a message says of itself. */
export type MessageShape = {
  /** By JSON-RPC 2.0. */
  readonly kind: MessageEntry['kind']
  readonly method: string | undefined
  /** A number, a text or null; undefined where there is none, or anything else. */
  readonly id: unknown
  /** What is called or read. */
  readonly target: string | undefined
  /** Of an error. */
  readonly code: number | undefined
}

/** Looks at a message without going through it; what is longer than a name is shortened. */
export function shapeOf(message: JSONRPCMessage, shorten: (text: string) => string): MessageShape {
  const {
    id: rawId,
    method: rawMethod,
    params,
    error,
  } = message as Readonly<Record<string, unknown>>
  const id = typeof rawId === 'number' ? rawId : otherId(rawId, shorten)
  if (typeof rawMethod === 'string') {
    const kind = rawId === undefined ? 'notification' : 'request'
    const method = nameOf(rawMethod, shorten)
    const target = params === undefined ? undefined : nameOf(targetOf(params), shorten)
    return { kind, method, id, target, code: undefined }
  }
  const kind = error === undefined ? 'result' : 'error'
  const code = error === undefined ? undefined : codeOf(error)
  return { kind, method: undefined, id, target: undefined, code }
}

/** Whether it is an answer to a request. */
export function isAnswer({ kind }: Pick<MessageShape, 'kind'>): boolean {
  return kind === 'result' || kind === 'error'
}

function nameOf(name: string | undefined, shorten: (text: string) => string): string | undefined {
  return name === undefined || name.length <= LONGEST_KEPT ? name : shorten(name)
}

function otherId(id: unknown, shorten: (text: string) => string): string | null | undefined {
  if (typeof id === 'string') return nameOf(id, shorten)
  return id === null ? null : undefined
}

/** The name or address of what is called, read, rendered, subscribed to or completed (MCP). */
function targetOf(params: unknown): string | undefined {
  if (!isJsonObject(params)) return undefined
  const { name, uri, ref } = params
  if (typeof name === 'string') return name
  if (typeof uri === 'string') return uri
  return isJsonObject(ref) ? targetOf({ name: ref.name, uri: ref.uri }) : undefined
}

function codeOf(error: unknown): number | undefined {
  return isJsonObject(error) && typeof error.code === 'number' ? error.code : undefined
}

/** Of a name, a method or an id, in UTF-16 units; a longer one is shortened. */
export const LONGEST_KEPT = 160
/** How much of one is looked through for secrets before the cut, which lies far before its end. */
const LOOKED_THROUGH = 2_000

/** The beginning of a long text, longer than what is not shortened by a sign; nothing of the whole text stays in memory for it. */
export function shorten(text: string, mask: (text: string) => string): string {
  const start = mask(text.slice(0, LOOKED_THROUGH)).slice(0, LONGEST_KEPT)
  return `${Buffer.from(start).toString()}…`
}
