import { isJsonObject, type JsonObject } from '../../src-shared/domain/server-json/tolerant-reader'
import type { Id } from './host-line'

/** The mark of the newer era in each of its messages (MCP 2026-07-28). */
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'

/** A message of the host that wants an answer. */
export type HostRequest = {
  readonly id: Id
  readonly method: string
  readonly params: JsonObject
  /** The version of the newer era that it names; undefined for one of the older. */
  readonly version: string | undefined
  /** As it came. */
  readonly text: Buffer
  /** Aborted once nothing of it is wanted any more. */
  readonly signal: AbortSignal
  /** Whether the host wants no answer any more. */
  readonly isCancelled: () => boolean
}

/** The version that a message of the newer era names. */
export function newerVersion({ _meta: meta }: JsonObject): string | undefined {
  const version = isJsonObject(meta) ? meta[VERSION_KEY] : undefined
  return typeof version === 'string' ? version : undefined
}
