import { MessageChannel } from 'node:worker_threads'

import { describe, expect, it, onTestFinished } from 'vitest'

import { ThreadEnd } from './thread-ends'

type Calls = {
  double(value: number): number
  fail(): void
  hang(signal: AbortSignal): string
}

function open() {
  const { port1, port2 } = new MessageChannel()
  onTestFinished(() => port1.close())
  const asked: AbortSignal[] = []
  const served = new ThreadEnd(port2).serve({
    double: (value: number) => value * 2,
    fail: () => {
      throw new TypeError('no such thing')
    },
    hang: async (signal: AbortSignal) => {
      asked.push(signal)
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return 'called off'
    },
  })
  return { end: new ThreadEnd<Calls>(port1).serve({}), served, asked }
}

describe('D2: calls between threads', () => {
  it('resolve with a value or reject with the error of the other end', async () => {
    const { end } = open()
    expect(await end.remote.double(4)).toBe(8)
    await expect(end.remote.fail()).rejects.toThrow('no such thing')
  })

  it('can be canceled by a signal, even one that is already aborted', async () => {
    const { end, asked } = open()
    const calling = new AbortController()
    const first = end.remote.hang(calling.signal)
    await expect.poll(() => asked.length).toBe(1)
    calling.abort()
    expect(await first).toBe('called off')
    expect(await end.remote.hang(AbortSignal.abort())).toBe('called off')
  })

  it('reject once the other end is gone, whose own calls are canceled', async () => {
    const { end, served, asked } = open()
    const waiting = end.remote.hang(new AbortController().signal)
    await expect.poll(() => asked.length).toBe(1)
    end.close(new Error('the thread ended'))
    served.close(new Error('main ended'))
    await expect(waiting).rejects.toThrow('the thread ended')
    await expect(end.remote.double(1)).rejects.toThrow('the thread ended')
    expect(asked[0]?.aborted).toBe(true)
  })
})
