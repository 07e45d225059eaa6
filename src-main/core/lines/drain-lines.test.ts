import { PassThrough } from 'node:stream'

import { describe, expect, it } from 'vitest'

import { drainLines } from './drain-lines'

describe('B1 a stream that is drained', () => {
  it('gives every line, the begin of a long one, and a last one without an end', async () => {
    const stream = new PassThrough()
    const lines: string[] = []
    const drained = drainLines(stream, (line) => lines.push(line))
    stream.end(`one\n${'x'.repeat(20_000)}\nlast`)
    await drained
    expect(lines).toEqual(['one', expect.stringMatching(/^x+ … \(\d+ more bytes\)$/u), 'last'])
    expect(lines[1]?.length).toBeLessThan(9_000)
  })

  it('ends its lines when it breaks, and says why', async () => {
    const stream = new PassThrough()
    const lines: string[] = []
    const drained = drainLines(stream, (line) => lines.push(line))
    stream.write('begun')
    setImmediate(() => stream.destroy(new Error('gone')))
    await drained
    expect(lines).toEqual(['begun(the stream failed: gone)'])
  })
})
