import type { Writable } from 'node:stream'

import type { JsonObject } from '../../src-shared/domain/server-json/tolerant-reader'

/** What JSON-RPC takes as the id of a request. */
export type Id = string | number

/** An error of whoever answers (JSON-RPC 2.0, 5.1); nothing more is known of it. */
export const FAILED = -32_000
export const NOT_JSON = -32_700

const NEWLINE = 10
const LINE_END = Buffer.from('\n')

/** The way to the host that started the bridge: one JSON-RPC message a line, and nothing else. */
export class HostLine {
  #room: Promise<void> | undefined

  constructor(private readonly out: Writable) {}

  /** Says a message that is JSON text. */
  say(message: Buffer): void {
    const line = message.includes(NEWLINE) ? inOneLine(message) : message
    this.out.cork()
    this.out.write(line)
    const isFree = this.out.write(LINE_END)
    this.out.uncork()
    if (!isFree) this.#room ??= this.#drained()
  }

  tell(message: JsonObject): void {
    this.say(Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message })))
  }

  fail(id: Id | null, message: string, code = FAILED): void {
    this.tell({ id, error: { code, message } })
  }

  /** Settles when more may be said; undefined where it may at once. */
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

function inOneLine(message: Buffer): Buffer {
  return Buffer.from(JSON.stringify(JSON.parse(message.toString())))
}
