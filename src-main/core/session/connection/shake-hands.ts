import { type Client, SdkError, SdkErrorCode, type Transport } from '@modelcontextprotocol/client'

import type { Era } from './era'

/**
 * The part of the handshake's limit that an answer to the question for the era may take. Most older servers refuse it
 * at once; few leave it unanswered, and many of either era take long to begin: one of the newer era that is given up
 * too early refuses the older handshake.
 */
const PROBE_SHARE = 2 / 3
/** Of one that has answered before as of the newer era. */
const KNOWN_SHARE = 0.95

/**
 * Connects a client over a line that nothing was said on yet: asks for the newer era first (`server/discover`,
 * MCP 2026-07-28), and shakes hands as before (`initialize`) where anything else or nothing is answered, over the same
 * line. One that is known to be of the older era is not asked. Rejects with the SDK's error.
 */
export async function shakeHands(
  client: Client,
  transport: Transport,
  options: {
    /** Of the handshake, in ms. */
    readonly limitMs: number
    /** After which the SDK gives up by itself, in ms. */
    readonly timeoutMs: number
    readonly era: Era | undefined
  },
): Promise<void> {
  const { limitMs, timeoutMs, era } = options
  const probeMs = Math.ceil(limitMs * (era === 'modern' ? KNOWN_SHARE : PROBE_SHARE))
  client.setVersionNegotiation({ mode: 'auto', probe: { timeoutMs: probeMs } })
  const prior = era === 'legacy' ? ({ kind: 'legacy' } as const) : undefined
  await client.connect(transport, { timeout: timeoutMs, ...(prior && { prior }) })
}

/** Whether the era could not be found out, as when the server is gone before it answered. */
export function isEraFailure(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed
}
