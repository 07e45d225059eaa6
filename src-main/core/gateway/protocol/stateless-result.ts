import { SERVER_INFO_META_KEY } from '@modelcontextprotocol/client'

import {
  isJsonObject,
  type JsonObject,
} from '../../../../src-shared/domain/server-json/tolerant-reader'
import { exactResult, type ResultText } from '../../mcp/json/result-text'
import { isListMethod } from '../calls/list-page'

/** How long an agent may use a list again, in ms: a user who changes a profile looks immediately. */
export const LIST_TTL_MS = 1_000

/** Longer results are not made into a text, in bytes. */
const SHORT = 32 * 1024

/** For how long and by whom a result may be used again (MCP 2026-07-28, caching). */
export function cacheFor(ttlMs: number): JsonObject {
  return { ttlMs, cacheScope: 'private' }
}

/** A result with the members that the version asks for; the text of the server stays as it came. */
export function statelessText(
  answer: ResultText,
  method: string,
  serverInfo: JsonObject,
): string | Buffer {
  const { result } = answer
  const cache = isListMethod(method)
    ? cacheFor(LIST_TTL_MS)
    : method === 'resources/read'
      ? cacheFor(0)
      : {}
  const { resultType, _meta } = result
  const own = { resultType: 'complete', ...cache, _meta: { [SERVER_INFO_META_KEY]: serverInfo } }
  const isPlain = Object.keys(own).every((key) => result[key] === undefined)
  if (!isPlain) {
    const meta = { ...own._meta, ...(isJsonObject(_meta) && _meta) }
    const all = {
      ...own,
      ...exactResult(answer),
      resultType: resultType ?? 'complete',
      _meta: meta,
    }
    return JSON.stringify(all)
  }
  const head = JSON.stringify(own).slice(0, -1)
  const { text } = answer
  const isEmpty = Object.keys(result).length === 0
  if (typeof text === 'string' || text.length < SHORT) {
    const json = text.toString()
    return isEmpty ? `${head}}` : `${head},${json.slice(json.indexOf('{') + 1)}`
  }
  return Buffer.concat([
    Buffer.from(`${head}${isEmpty ? '' : ','}`),
    text.subarray(text.indexOf('{') + 1),
  ])
}
