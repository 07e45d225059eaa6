import { spawn } from 'node:child_process'
import { PassThrough } from 'node:stream'

import { describe, expect, it } from 'vitest'

import { drainLines } from './drain-lines'
import { readIntoBuffers } from './read-buffers'

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
    expect(lines).toEqual(['begun(the stream broke: gone)'])
  })

  it('of a child is read into buffers that are used again', async () => {
    const code = `for (let at = 0; at < 400; at += 1) require('fs').writeSync(2, 'x'.repeat(99_999) + '\\n')`
    const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'ignore', 'pipe'] })
    const memories = new Set<ArrayBufferLike>()
    const buffers = [Buffer.alloc(64 * 1024), Buffer.alloc(64 * 1024)]
    let turn = 0
    let total = 0
    const isDone = readIntoBuffers(child.stderr, {
      nextBuffer: () => buffers[(turn += 1) % 2] ?? Buffer.alloc(1),
      onRead: (count, buffer) => {
        memories.add(buffer.buffer)
        total += count
        return true
      },
    })
    expect(isDone).toBe(true)
    await new Promise((resolve) => child.stderr.once('close', resolve))
    expect(total).toBe(40_000_000)
    expect(memories.size).toBe(2)
  })

  it('that is no pipe of a child is left to its own events', () => {
    const reader = { nextBuffer: () => Buffer.alloc(1), onRead: () => true }
    expect(readIntoBuffers(new PassThrough(), reader)).toBe(false)
  })
})
