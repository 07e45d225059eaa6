import type { WebSocket } from 'ws'
import * as z from 'zod'

import { REQUEST_CHANNELS } from '../../src-shared/ipc/channels'
import { answer } from '../ipc/answer'
import type { Patchbay } from '../open-patchbay'
import type { AccessTokens } from './access-tokens'

const GREETING_MS = 5_000
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
 * is read and nothing is said. Closes with 4401 when it is missing, late or wrong.
 */
export function serveSocket(socket: WebSocket, patchbay: Patchbay, tokens: AccessTokens): void {
  // A broken socket is followed by its close, where everything is undone.
  socket.on('error', () => socket.terminate())
  const tooLate = setTimeout(() => socket.close(CLOSE.badToken, 'No token came.'), GREETING_MS)
  socket.once('close', () => clearTimeout(tooLate))
  socket.once('message', (raw: Buffer) => {
    clearTimeout(tooLate)
    const greeting = raw.length > GREETING_LENGTH ? undefined : Greeting.safeParse(parse(raw)).data
    const token = greeting && tokens.admit(greeting.token)
    if (token === undefined) {
      socket.close(CLOSE.badToken, 'The token is not valid.')
      return
    }
    socket.send(JSON.stringify({ type: 'welcome', token }))
    connect(socket, patchbay)
  })
}

function connect(socket: WebSocket, patchbay: Patchbay): void {
  const events = patchbay.onEvent(({ channel, payload }) => {
    if (socket.bufferedAmount > MAX_BEHIND_BYTES) socket.close(CLOSE.behind, 'Too far behind.')
    else socket.send(JSON.stringify({ event: channel, payload }))
  })
  socket.once('close', () => events[Symbol.dispose]())
  socket.on('message', (raw: Buffer) => {
    const request = Request.safeParse(parse(raw)).data
    if (!request) {
      socket.close(CLOSE.badMessage, 'A message did not fit the contract.')
      return
    }
    void answer(patchbay.handlers, request.channel, request.input).then((reply) =>
      socket.send(JSON.stringify({ id: request.id, reply })),
    )
  })
}

function parse(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8'))
  } catch {
    return undefined // fits no schema, so the caller refuses it
  }
}
