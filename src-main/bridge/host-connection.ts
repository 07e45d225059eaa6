import { once } from 'node:events'
import type { Writable } from 'node:stream'

import type { JsonObject } from '../../src-shared/domain/server-json/tolerant-reader'
import { exactJson, stringifyWithBigInts } from '../core/mcp/json/exact-json'

/** What JSON-RPC takes as the id of a request; an integer that JavaScript can't hold is a bigint. */
export type Id = string | number | bigint

/** An error without a more exact code (JSON-RPC 2.0, 5.1). */
export const FAILED = -32_000

const NEWLINE = '\n'

/** The stdout of the bridge: one JSON-RPC message a line, and nothing else. */
export class HostConnection {
  constructor(private readonly out: Writable) {
    // Each stream of the gateway may wait for it.
    out.setMaxListeners(0)
  }

  sendText(message: Buffer): void {
    const isLine = !message.includes(NEWLINE)
    this.out.cork()
    this.out.write(isLine ? message : JSON.stringify(exactJson(message.toString())))
    this.out.write(NEWLINE)
    this.out.uncork()
  }

  send(message: JsonObject): void {
    this.sendText(Buffer.from(stringifyWithBigInts({ jsonrpc: '2.0', ...message })))
  }

  fail(id: Id | null, message: string, code = FAILED): void {
    this.send({ id, error: { code, message } })
  }

  /** Settles when more may be sent. */
  async room(): Promise<void> {
    if (this.out.writableNeedDrain) await once(this.out, 'drain')
  }
}
