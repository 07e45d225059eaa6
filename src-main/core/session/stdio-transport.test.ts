import { once } from 'node:events'
import { PassThrough } from 'node:stream'

import type { JSONRPCMessage } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'

import type { ChildExit, RunningChild } from '../process/child-process'
import { StdioTransport } from './stdio-transport'

const answer = (id: number): JSONRPCMessage => ({ jsonrpc: '2.0', id, result: {} })
const progress: JSONRPCMessage = { jsonrpc: '2.0', method: 'notifications/progress', params: {} }

/** A child made of streams: the bytes are real, and the test decides when it ends. */
function openTransport(): {
  stdout: PassThrough
  end: (exit: ChildExit) => void
  noise: string[]
  seen: JSONRPCMessage[]
  transport: StdioTransport
  closed: Promise<void>
} {
  const stdout = new PassThrough()
  let end: (exit: ChildExit) => void = () => undefined
  const exited = new Promise<ChildExit>((resolve) => (end = resolve))
  const child: RunningChild = {
    pid: 0,
    stdin: new PassThrough(),
    stdout,
    exited,
    drainStderr: () => Promise.resolve(),
  }
  const noise: string[] = []
  const seen: JSONRPCMessage[] = []
  const transport = new StdioTransport(child, {
    onNoise: (line) => noise.push(line),
    stop: () => Promise.resolve(),
  })
  transport.onmessage = (message) => seen.push(message)
  const closed = new Promise<void>((resolve) => (transport.onclose = resolve))
  void transport.start()
  return { stdout, end, noise, seen, transport, closed }
}

const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20))

describe('B3 and B4 what a server writes on stdout', () => {
  it('arrives in order when a notification and its answer share a chunk', async () => {
    const { stdout, seen } = openTransport()
    const order: string[] = []
    // The SDK handles a notification a microtask later than an answer.
    seen.push = (message) => {
      if ('id' in message) order.push('answer')
      else queueMicrotask(() => order.push('progress'))
      return 0
    }
    stdout.write([progress, answer(1)].map((one) => `${JSON.stringify(one)}\n`).join(''))
    await soon()
    expect(order).toEqual(['progress', 'answer'])
  })

  it('is read in linear time however many notifications come, and their answer last', async () => {
    const { stdout, seen } = openTransport()
    const flood = `${JSON.stringify(progress)}\n`.repeat(2_000)
    for (let part = 0; part < 100; part += 1) {
      if (!stdout.write(flood)) await once(stdout, 'drain')
    }
    stdout.write(`${JSON.stringify(answer(1))}\n`)
    await expect.poll(() => seen.length, { timeout: 4_000 }).toBe(200_001)
    expect(seen.at(-1)).toEqual(answer(1))
  })

  it('holds a server back that sends more than is taken', async () => {
    const { stdout, seen } = openTransport()
    const pairs = `${JSON.stringify(progress)}\n${JSON.stringify(answer(1))}\n`.repeat(2_000)
    const paused = once(stdout, 'pause')
    stdout.write(pairs)
    await paused
    await expect.poll(() => seen.length, { timeout: 4_000 }).toBe(4_000)
    expect(stdout.isPaused()).toBe(false)
  })

  it('does not end the app when the reader of a message throws', async () => {
    const { stdout, transport, seen } = openTransport()
    const errors: string[] = []
    transport.onerror = (error) => errors.push(error.message)
    transport.onmessage = (message) => {
      seen.push(message)
      if (seen.length === 1) throw new RangeError('too deep')
    }
    stdout.write(`${JSON.stringify(answer(1))}\n${JSON.stringify(answer(2))}\n`)
    await soon()
    expect({ errors, count: seen.length }).toEqual({ errors: ['too deep'], count: 2 })
  })

  it('is set aside when it is no message, and the protocol goes on', async () => {
    const { stdout, seen, noise } = openTransport()
    stdout.write(`Listening on stdio\n[1,2]\n{"level":"info"}\n${JSON.stringify(answer(2))}\n`)
    await soon()
    expect(seen).toEqual([answer(2)])
    expect(noise).toEqual(['Listening on stdio', '[1,2]', '{"level":"info"}'])
  })

  it('is delivered once a BOM and colours are stripped', async () => {
    const { stdout, seen, noise } = openTransport()
    stdout.write(`\uFEFF\u001b[32m${JSON.stringify(answer(3))}\u001b[0m\n`)
    await soon()
    expect(seen).toEqual([answer(3)])
    expect(noise).toEqual([])
  })

  it('counts as its messages when it is a batch', async () => {
    const { stdout, seen } = openTransport()
    stdout.write(`${JSON.stringify([answer(4), answer(5)])}\n`)
    await soon()
    expect(seen).toEqual([answer(4), answer(5)])
  })
})

describe('B7 the end of a server', () => {
  it('closes the connection after the exit although something else holds the pipe', async () => {
    const { end, closed } = openTransport()
    end({ code: 1, signal: null })
    await closed
  })

  it('closes the connection when stdout ends although the process lives on', async () => {
    const { stdout, closed } = openTransport()
    stdout.end()
    await closed
  })

  it('delivers a last answer without its newline first', async () => {
    const { stdout, end, seen, closed } = openTransport()
    stdout.end(JSON.stringify(answer(6)))
    end({ code: 0, signal: null })
    await closed
    expect(seen).toEqual([answer(6)])
  })
})
