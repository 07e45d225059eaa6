import { once } from 'node:events'

import { WebSocket } from 'ws'
import * as z from 'zod'

import type { RequestChannel } from '../../src-shared/ipc/channels'
import type { RequestInput } from '../../src-shared/ipc/contract'
import type { StatusMoment } from './shown-after'

/** What the line reads of the messages of `patchbay serve`; all others are passed over. */
const ServerChanged = z.object({
  event: z.literal('server.changed'),
  payload: z.object({
    server: z.object({
      installationId: z.string(),
      name: z.string(),
      status: z.object({ kind: z.string() }),
      statusSince: z.number(),
    }),
  }),
})

/** A line of the bench's own to `patchbay serve`, beside the page's: it asks, and hears when main changed a status. */
export class ServedLine implements Disposable {
  /** The changes of each server, by its name, in their order. */
  readonly changes = new Map<string, StatusMoment[]>()
  readonly #socket: WebSocket
  #lastId = 0

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', (raw: Buffer) => this.#hear(JSON.parse(raw.toString('utf8'))))
  }

  /** Takes a link that `serve` printed; it works once. */
  static async open(link: string): Promise<ServedLine> {
    const { host, origin, hash } = new URL(link)
    const socket = new WebSocket(`ws://${host}/socket`, { origin })
    await once(socket, 'open')
    const welcomed = once(socket, 'message')
    socket.send(JSON.stringify({ token: hash.replace('#token=', '') }))
    await welcomed
    return new ServedLine(socket)
  }

  ask<C extends RequestChannel>(channel: C, input: RequestInput<C>): void {
    this.#lastId += 1
    this.#socket.send(JSON.stringify({ id: this.#lastId, channel, input }))
  }

  [Symbol.dispose](): void {
    this.#socket.terminate()
  }

  #hear(message: unknown): void {
    const changed = ServerChanged.safeParse(message)
    if (!changed.success) return
    const { name, status, statusSince } = changed.data.payload.server
    const known = this.changes.get(name) ?? []
    // Steps within a status are told too.
    if (known.at(-1)?.kind !== status.kind) known.push({ kind: status.kind, at: statusSince })
    this.changes.set(name, known)
  }
}
