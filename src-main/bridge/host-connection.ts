import type { Writable } from 'node:stream'

import { isJsonObject, type JsonObject } from '../../src-shared/domain/server-json/tolerant-reader'

/** What JSON-RPC takes as the id of a request. */
export type Id = string | number

/** An error without a more exact code (JSON-RPC 2.0, 5.1). */
export const FAILED = -32_000

const NEWLINE = 10
const LINE_END = Buffer.from('\n')
/** Names the protocol version in each stateless message (MCP 2026-07-28). */
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'

/** A message of the host that wants an answer. */
export type HostRequest = {
  readonly id: Id
  readonly method: string
  readonly params: JsonObject
  /** The protocol version that a stateless request names; undefined for a request of a session. */
  readonly version: string | undefined
  /** As it came. */
  readonly text: Buffer
  /** Aborted once nothing of it is wanted anymore. */
  readonly signal: AbortSignal
  /** Whether the host wants no answer anymore. */
  readonly isCancelled: () => boolean
}

export function statelessVersion({ _meta: meta }: JsonObject): string | undefined {
  const version = isJsonObject(meta) ? meta[VERSION_KEY] : undefined
  return typeof version === 'string' ? version : undefined
}

/** The stdout of the bridge: one JSON-RPC message a line, and nothing else. */
export class HostConnection {
  #room: Promise<void> | undefined

  constructor(private readonly out: Writable) {}

  /** Sends a message that is JSON text. */
  sendText(message: Buffer): void {
    const line = message.includes(NEWLINE)
      ? Buffer.from(JSON.stringify(JSON.parse(message.toString())))
      : message
    this.out.cork()
    this.out.write(line)
    const isFree = this.out.write(LINE_END)
    this.out.uncork()
    if (!isFree) this.#room ??= this.#drained()
  }

  send(message: JsonObject): void {
    this.sendText(Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message })))
  }

  fail(id: Id | null, message: string, code = FAILED): void {
    this.send({ id, error: { code, message } })
  }

  /** Settles when more may be sent; undefined where it may immediately. */
  room(): Promise<void> | undefined {
    return this.#room
  }

  #drained(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<undefined>()
    const goOn = (): void => {
      this.#room = undefined
      resolve(undefined)
    }
    this.out.once('drain', goOn).once('close', goOn)
    return promise
  }
}
