import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

import { LineIntake } from './line-intake'
import { LONG_LINE } from './line-splitter'

/** Where a stream's lines go: one by one, the begin of a long one alone; or to an intake, which keeps all of it. */
export type LineSink = ((line: string) => void) | LineIntake

export function intakeOf(sink: LineSink): LineIntake {
  return typeof sink === 'function' ? simpleIntake(sink) : sink
}

/** Reads every line of a stream until it closes; never rejects. */
export function drainLines(stream: Readable, sink: LineSink): Promise<void> {
  const intake = intakeOf(sink)
  stream.on('data', (chunk: Buffer) => {
    if (intake.push(chunk)) return
    stream.pause()
    void intake.caughtUp().then(() => stream.resume())
  })
  return new Promise((resolve) => {
    stream.once('error', (error) => {
      intake.pushLine(Buffer.from(`(the stream failed: ${error.message})`))
    })
    stream.once('close', () => {
      intake.end()
      resolve()
    })
  })
}

/** Says of a long line how much of it is not shown. */
function simpleIntake(onLine: (line: string) => void): LineIntake {
  let begin = Buffer.alloc(0)
  let length = 0
  // The rest of a line whose begin was dropped may be the rest of a secret, which nobody could tell.
  let isInside = false
  return new LineIntake({
    onLine: (text) => {
      if (!isInside) onLine(text)
      isInside = false
    },
    onLongPart: (bytes) => {
      begin = Buffer.concat([begin, bytes]).subarray(0, LONG_LINE)
      length += bytes.length
    },
    onLongEnd: () => {
      const more = `… (${String(length - begin.length)} more bytes)`
      if (!isInside) onLine(`${new StringDecoder('utf8').write(begin)} ${more}`)
      isInside = false
      begin = Buffer.alloc(0)
      length = 0
    },
    onLost: (lines, nowInside) => {
      isInside = nowInside
      onLine(`(${String(lines)} lines were dropped because they came too fast)`)
    },
  })
}
