import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

import { LineIntake } from './line-intake'
import { LONG_LINE } from './line-splitter'
import { type BufferReader, ReadBuffers, readIntoBuffers } from './read-buffers'

/** Where a stream's lines go: one by one, the begin of a long one alone; or to an intake, which keeps all of it. */
export type LineSink = ((line: string) => void) | LineIntake

/** The intake behind a sink. */
export function intakeOf(sink: LineSink): LineIntake {
  return typeof sink === 'function' ? simpleIntake(sink) : sink
}

/** Reads every line of a stream until it closes; never rejects. */
export function drainLines(stream: Readable, sink: LineSink): Promise<void> {
  const intake = intakeOf(sink)
  const push = (chunk: Buffer): boolean => {
    if (intake.push(chunk)) return true
    stream.pause()
    void intake.caughtUp().then(() => stream.resume())
    return false
  }
  if (!readIntoBuffers(stream, bufferedReader(intake, push))) stream.on('data', push)
  return new Promise((resolve) => {
    stream.once('error', (error) => {
      intake.pushLine(Buffer.from(`(the stream broke: ${error.message})`))
    })
    stream.once('close', () => {
      intake.end()
      resolve()
    })
  })
}

/** Gives each buffer back once the intake needs it no more. */
function bufferedReader(intake: LineIntake, push: (chunk: Buffer) => boolean): BufferReader {
  const buffers = new ReadBuffers()
  const lent = new Map<ArrayBufferLike, Buffer>()
  intake.onRelease = (memory) => {
    const buffer = lent.get(memory)
    if (buffer) buffers.giveBack(buffer)
    lent.delete(memory)
    if (intake.waiting === 0) buffers.shrink()
  }
  return {
    nextBuffer: () => buffers.take(intake.waiting > 0),
    onRead: (count, buffer) => {
      // Little that waits must not hold a whole buffer.
      const isLittle = count < buffer.length / 4
      if (isLittle) buffers.giveBack(buffer)
      else lent.set(buffer.buffer, buffer)
      return push(isLittle ? Buffer.from(buffer.subarray(0, count)) : buffer.subarray(0, count))
    },
  }
}

/** Says of a long line how much of it is not shown. */
function simpleIntake(onLine: (line: string) => void): LineIntake {
  const long = { begin: Buffer.alloc(0), more: 0 }
  // The rest of a line whose begin was dropped may be the rest of a secret, which nobody could tell.
  let isInside = false
  return new LineIntake({
    onLine: (text) => {
      if (!isInside) onLine(text)
      isInside = false
    },
    onLongPart: (bytes) => {
      const room = Math.max(0, LONG_LINE - long.begin.length)
      long.begin = Buffer.concat([long.begin, bytes.subarray(0, room)])
      long.more += Math.max(0, bytes.length - room)
    },
    onLongEnd: () => {
      const begin = new StringDecoder('utf8').write(long.begin)
      if (!isInside) onLine(`${begin} … (${String(long.more)} more bytes)`)
      isInside = false
      long.begin = Buffer.alloc(0)
      long.more = 0
    },
    onLost: (lines, nowInside) => {
      isInside = nowInside
      onLine(`(${String(lines)} lines came too fast and were left out)`)
    },
  })
}
