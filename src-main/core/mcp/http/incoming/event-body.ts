import type { OversizedMessage } from '../../../lines/message-framing'
import { type EventFields, EventReader } from '../../connections/event-reader'
import { type Incoming, READ } from './incoming'

const ANSWER = JSON.stringify({ jsonrpc: '2.0', id: READ, result: {} })
const NOTIFICATION = JSON.stringify({ jsonrpc: '2.0', method: READ })

export type EventBodyOptions = {
  readonly incoming: Incoming
  /** Of one event. */
  readonly maxBytes: number
  readonly onBytes: (count: number) => void
}

/**
 * Reads the messages of a stream of events and passes on what the SDK needs of it: which events came, and whether an
 * answer was among them. An event that is too large is let go, and the stream goes on.
 */
export function eventBody(options: EventBodyOptions): TransformStream<Uint8Array, Uint8Array> {
  const { incoming, maxBytes, onBytes } = options
  const passed: string[] = []
  const pass = (isAnswer: boolean, fields: EventFields): void => {
    passed.push(eventText(fields, isAnswer ? ANSWER : NOTIFICATION))
  }
  const reader = new EventReader({
    maxBytes,
    onData: (data, fields) => {
      const { event = '' } = fields
      if (event === '' || event === 'message') pass(incoming.read(data), fields)
      else passed.push(eventText(fields, data.toString().replace(/^ /u, '')))
    },
    onOversized: (message: OversizedMessage, fields) => pass(incoming.letGo(message), fields),
    onEmpty: (fields, hasData) => passed.push(eventText(fields, hasData ? '' : undefined)),
  })
  return new TransformStream({
    transform: async (chunk, controller) => {
      onBytes(chunk.byteLength)
      reader.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
      if (passed.length > 0) controller.enqueue(Buffer.from(passed.splice(0).join('')))
      await incoming.room()
    },
  })
}

function eventText(fields: EventFields, data: string | undefined): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\n`)
  if (data !== undefined) lines.push(`data: ${data}\n`)
  return `${lines.join('')}\n`
}
