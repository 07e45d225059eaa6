import { PassThrough } from 'node:stream'

import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'

import { drainLines, LineReader, MAX_WAITING } from './line-reader'
import { TimeSlicer } from './time-slicer'

type Received = { lines: string[]; lost: number; inside: number; long: Buffer[] }

/** Opens a reader whose lines take this many ms each. */
function open(lineMs: number): { reader: LineReader; received: Received } {
  let spentMs = 0
  const received: Received = { lines: [], lost: 0, inside: 0, long: [] }
  const receiver = {
    onLine: (line: string) => {
      spentMs += lineMs
      received.lines.push(line)
    },
    onLongPart: (part: Buffer) => {
      spentMs += lineMs
      received.long.push(Buffer.from(part))
    },
    onLongEnd: () => undefined,
    onLost: (lines: number, isInside: boolean) => {
      received.lost += lines
      received.inside += isInside ? 1 : 0
    },
  }
  const slicer = new TimeSlicer(() => performance.now() + spentMs)
  return { reader: new LineReader(receiver, slicer), received }
}

const numbered = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, index) => `line ${String(from + index).padStart(8, '0')}`)
const chunk = (from: number, to: number): Buffer =>
  Buffer.from(`${numbered(from, to).join('\n')}\n`)

describe('B1: a flood', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
  })

  it.each([
    ['many chunks', 1_000],
    ['one piece', 300_000],
    // Hundreds of thousands of chunks are queued then: work that grows with their number hits the time limit of the test.
    ['a chunk for each line', 1],
  ])(
    'of %s loses the oldest whole lines, counts them, and stays within the memory limit',
    { timeout: 20_000 },
    (_how, size) => {
      const { reader, received } = open(1_000)
      for (let at = 0; at < 300_000; at += size) {
        reader.push(chunk(at, at + size))
        if (reader.waiting > MAX_WAITING) throw new Error('too much waits')
      }
      reader.end()
      const { lines, lost } = received
      expect(lost).toBeGreaterThan(0)
      expect(lines.length + lost).toBe(300_000)
      expect(lines.slice(-30_000)).toEqual(numbered(270_000, 300_000))
      expect(lines.every((line) => /^line \d{8}$/u.test(line))).toBe(true)
    },
  )

  it('of an endless line continues within it at a whole character, and reports that', () => {
    const { reader, received } = open(1_000)
    reader.push(Buffer.from('the first one\n'))
    const endless = Buffer.from('日'.repeat(2_000_000))
    for (let at = 0; at < endless.length; at += 50_000)
      reader.push(endless.subarray(at, at + 50_000))
    reader.push(Buffer.from('\nthe last one'))
    reader.end()
    expect(received.inside).toBeGreaterThan(0)
    expect(Buffer.concat(received.long).toString()).toMatch(/^日+$/u)
    expect(received.lines).toEqual(['the first one', 'the last one'])
  })

  it('pauses the stream while there is time to read it, and loses nothing', async () => {
    const { reader, received } = open(0.001)
    let waits = 0
    for (let at = 0; at < 200_000; at += 40_000) {
      if (reader.push(chunk(at, at + 40_000))) continue
      waits += 1
      const caughtUp = reader.caughtUp()
      await vi.advanceTimersByTimeAsync(100)
      await caughtUp
    }
    reader.end()
    expect([waits, received.lines.length, received.lost]).toEqual([5, 200_000, 0])
  })

  it("doesn't pause the stream anymore once there is no time for it", async () => {
    const { reader } = open(1)
    expect(reader.push(chunk(0, 100_000))).toBe(false)
    const caughtUp = reader.caughtUp()
    await vi.advanceTimersByTimeAsync(200)
    await caughtUp
    expect([reader.waiting > 1_000_000, reader.push(chunk(0, 1))]).toEqual([true, true])
  })
})

describe('B1: a drained stream', () => {
  it('yields every line, the beginning of a long one, and a last one without line ending', async () => {
    const stream = new PassThrough()
    const lines: string[] = []
    const drained = drainLines(stream, (line) => lines.push(line))
    stream.end(`one\n${'x'.repeat(20_000)}\nlast`)
    await drained
    expect(lines).toEqual(['one', expect.stringMatching(/^x+ … \(\d+ more bytes\)$/u), 'last'])
    expect(lines[1]?.length).toBeLessThan(9_000)
  })

  it('ends its last line with the reason if it fails', async () => {
    const stream = new PassThrough()
    const lines: string[] = []
    const drained = drainLines(stream, (line) => lines.push(line))
    stream.write('begun')
    setImmediate(() => stream.destroy(new Error('gone')))
    await drained
    expect(lines).toEqual(['begun(the stream failed: gone)'])
  })
})
