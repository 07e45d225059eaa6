import { randomUUID } from 'node:crypto'

import {
  isJsonObject,
  type JsonObject,
} from '../../../../../src-shared/domain/server-json/tolerant-reader'
import { memberText } from '../../arguments/arguments-text'

/** Nothing that an agent or a server writes begins so. */
const MARK = `${randomUUID()}:`
const MARKED = new RegExp(`"${MARK}([^"]*)"`, 'gu')

/**
 * A message of an agent in which ids and progress tokens that JavaScript cannot hold are marked texts with the digits that
 * the agent wrote. The same object where there are none, as most often.
 */
export function markIds(message: JsonObject, text: string): JsonObject {
  const { id, params } = message
  const marked = isInexact(id) ? { ...message, id: markOf(text, ['id'], id) } : message
  if (!isJsonObject(params)) return marked
  const { _meta, requestId } = params
  const token = isJsonObject(_meta) ? _meta.progressToken : undefined
  if (!isInexact(requestId) && !isInexact(token)) return marked
  return {
    ...marked,
    params: {
      ...params,
      ...(isInexact(requestId) && { requestId: markOf(text, ['params', 'requestId'], requestId) }),
      ...(isInexact(token) && {
        _meta: {
          ...(_meta as JsonObject),
          progressToken: markOf(text, ['params', '_meta', 'progressToken'], token),
        },
      }),
    },
  }
}

/** Whether a JSON text has such an id; far faster than to look for its place. */
export function hasMarks(json: Buffer): boolean {
  return json.includes(MARK)
}

/** JSON with the ids of an agent as they came. */
export function unmarkIds(json: string): string {
  return json.replace(MARKED, '$1')
}

/** An id as JSON, as it came. */
export function idText(id: string | number): string {
  return typeof id === 'string' && id.startsWith(MARK) ? id.slice(MARK.length) : JSON.stringify(id)
}

function isInexact(id: unknown): id is number {
  return typeof id === 'number' && !Number.isSafeInteger(id)
}

function markOf(text: string, path: readonly string[], value: number): string {
  const source = path.reduce<string | undefined>(
    (object, key) => (object === undefined ? undefined : memberText(object, key)),
    text,
  )
  return `${MARK}${source ?? String(value)}`
}
