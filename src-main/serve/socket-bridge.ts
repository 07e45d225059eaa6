import type { WebSocket } from 'ws'
import * as z from 'zod'

import { REQUEST_CHANNELS } from '../../src-shared/ipc/channels'
import type { Reply } from '../../src-shared/ipc/contract'
import { answer } from '../ipc/answer'
import type { Patchbay } from '../patchbay/open-patchbay'
import type { AccessTokens } from './access-tokens'

/** What of the core a page reaches. */
export type ServedCore = Pick<Patchbay, 'handlers' | 'onEvent'>

const GREETING_MS = 5_000
const CLOSING_MS = 1_000
const GREETING_LENGTH = 1_024
/** A reader this many bytes behind is cut off: it connects again and takes a new snapshot. */
const MAX_BEHIND_BYTES = 32 * 1024 * 1024

const CLOSE = { badToken: 4401, badMessage: 1007, behind: 1013 } as const

const Greeting = z.object({ token: z.string() })
const Request = z.object({
  id: z.number().int().nonnegative(),
  channel: z.enum(REQUEST_CHANNELS),
  input: z.unknown(),
})

/**
 * Serves the typed contract over one socket. The first message must be the token; before it nothing
 * is read and nothing is said. Closes with 4401 when it is missing, late or wrong; `onAdmitted` hears when it is
 * right, and whether it was a link's.
 */
export function serveSocket(
  socket: WebSocket,
  patchbay: ServedCore,
  tokens: AccessTokens,
  onAdmitted: (isNew: boolean) => void,
): void {
  // A broken socket is followed by its close, where everything is undone.
  socket.on('error', () => socket.terminate())
  const tooLate = setTimeout(() => endSocket(socket, 'The token is missing.'), GREETING_MS)
  socket.once('close', () => clearTimeout(tooLate))
  socket.once('message', (raw: Buffer) => {
    clearTimeout(tooLate)
    const greeting = raw.length > GREETING_LENGTH ? undefined : Greeting.safeParse(parse(raw)).data
    const admission = greeting && tokens.admit(greeting.token)
    if (admission === undefined) {
      endSocket(socket, 'The token is invalid.')
      return
    }
    onAdmitted(admission.isNew)
    socket.send(JSON.stringify({ type: 'welcome', token: admission.token }))
    connect(socket, patchbay)
  })
}

/** Closes a socket whose token is not, or no longer, right. */
export function endSocket(socket: WebSocket, why: string): void {
  socket.close(CLOSE.badToken, why)
  // The close waits for an answer; a peer that gives none is not waited for.
  setTimeout(() => socket.terminate(), CLOSING_MS).unref()
}

function connect(socket: WebSocket, patchbay: ServedCore): void {
  const events = patchbay.onEvent(({ channel, payload }) => {
    if (socket.bufferedAmount > MAX_BEHIND_BYTES) socket.close(CLOSE.behind, 'Too far behind.')
    else socket.send(JSON.stringify({ event: channel, payload }))
  })
  socket.once('close', () => events[Symbol.dispose]())
  socket.on('message', (raw: Buffer) => {
    const request = Request.safeParse(parse(raw)).data
    if (!request) {
      socket.close(CLOSE.badMessage, 'Invalid message.')
      return
    }
    void answer(patchbay.handlers, request.channel, request.input).then((reply) =>
      socket.send(asText(request.id, reply)),
    )
  })
}

/** A reply as JSON; one that cannot be written (too deep) becomes a refusal, so that the asker hears something. */
function asText(id: number, reply: Reply<unknown>): string {
  try {
    return JSON.stringify({ id, reply })
  } catch (error) {
    process.stderr.write(`patchbay: an answer could not be sent: ${String(error)}\n`)
    const message = 'The response is nested too deeply to show.'
    return JSON.stringify({ id, reply: { ok: false, error: { code: 'INTERNAL', message } } })
  }
}

function parse(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8'))
  } catch {
    return undefined // fits no schema, so the caller refuses it
  }
}
