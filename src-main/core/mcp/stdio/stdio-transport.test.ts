import { once } from 'node:events'

import type { JSONRPCMessage } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'

import { openTransport, soon } from '../../../../e2e/fixtures/open-transport'
import { pause } from '../../../../e2e/fixtures/pause'

const answer = (id: number): JSONRPCMessage => ({ jsonrpc: '2.0', id, result: {} })
const progress: JSONRPCMessage = {
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken: 1, progress: 1 },
}

/** Messages of the server that are always delivered. */
const ping = (id: number): JSONRPCMessage => ({ jsonrpc: '2.0', id: `s${id}`, method: 'ping' })

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
    const lines = [progress, progress, answer(1)]
    stdout.write(lines.map((one) => `${JSON.stringify(one)}\n`).join(''))
    await soon()
    expect(order).toEqual(['progress', 'progress', 'answer'])
  })

  it('is read in linear time however many notifications come, and their answer last', async () => {
    const { stdout, seen } = openTransport()
    const flood = `${JSON.stringify(progress)}\n`.repeat(2_000)
    for (let part = 0; part < 100; part += 1) {
      if (!stdout.write(flood)) await once(stdout, 'drain')
    }
    stdout.write(`${JSON.stringify(answer(1))}\n`)
    await expect.poll(() => seen.length).toBe(200_001)
    expect(seen.at(-1)).toEqual(answer(1))
  })

  it('holds a server back that sends more than is taken', async () => {
    const { stdout, seen } = openTransport()
    const pairs = `${JSON.stringify(progress)}\n${JSON.stringify(ping(1))}\n`.repeat(2_000)
    const paused = once(stdout, 'pause')
    stdout.write(pairs)
    await paused
    await expect.poll(() => seen.length).toBe(4_000)
    expect(stdout.isPaused()).toBe(false)
  })

  it('is read in linear time when notifications and requests alternate in one batch', async () => {
    const { stdout, seen } = openTransport()
    const pair = `${JSON.stringify(progress)},${JSON.stringify(ping(1))}`
    stdout.write(`[${Array<string>(50_000).fill(pair).join(',')}]\n`)
    await expect.poll(() => seen.length).toBe(100_000)
  })

  it('leaves turns to others while a server asks without end', async () => {
    const { stdout, seen } = openTransport()
    const turns: number[] = []
    const look = (): void => {
      turns.push(seen.length)
      if (seen.length < 2_000) setImmediate(look)
    }
    setImmediate(look)
    stdout.write(`${JSON.stringify(ping(1))}\n`.repeat(2_000))
    await expect.poll(() => seen.length).toBe(2_000)
    const steps = turns.map((count, index) => count - (turns[index - 1] ?? 0))
    expect(Math.max(...steps)).toBeLessThanOrEqual(200)
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

  it('is delivered once a BOM and colours are stripped, and counted', async () => {
    const { stdout, seen, noise, faults } = openTransport()
    stdout.write(`\uFEFF\u001b[32m${JSON.stringify(answer(3))}\u001b[0m\n`)
    await soon()
    expect(seen).toEqual([answer(3)])
    expect(noise).toEqual([])
    expect(faults).toEqual(['decoratedLines'])
  })

  it('counts as its messages when it is a batch', async () => {
    const { stdout, seen } = openTransport()
    stdout.write(`${JSON.stringify([answer(4), answer(5)])}\n`)
    await soon()
    expect(seen).toEqual([answer(4), answer(5)])
  })
})

describe('B2 a message over the limit', () => {
  const large = (rest: string): string => `{"jsonrpc":"2.0",${rest}}\n`
  const text = 'x'.repeat(100_000)

  it.each([
    ['first', large(`"id":1,"result":{"text":"${text}"}`)],
    ['last', large(`"result":{"text":"${text}"},"id":1`)],
  ])('fails the request whose id stands %s, and the connection goes on', async (_where, line) => {
    const { stdout, seen, faults, noise } = openTransport(50_000)
    stdout.write(line)
    stdout.write(`${JSON.stringify(answer(2))}\n`)
    await soon()
    const [failed, next] = seen as [{ id: number; error: { data: unknown } }, JSONRPCMessage]
    expect(failed.id).toBe(1)
    expect(failed.error.data).toMatchObject({ code: 'MESSAGE_TOO_LARGE' })
    expect(next).toEqual(answer(2))
    expect({ faults, noise }).toEqual({ faults: ['oversizedMessages'], noise: [] })
  })

  it('is counted when it cannot be told whose it is', async () => {
    const { stdout, seen, faults } = openTransport(50_000)
    stdout.write(`[${large(`"id":1,"result":{"text":"${text}"}`).trim()}]\n`)
    stdout.write(`${JSON.stringify(answer(2))}\n`)
    await soon()
    expect({ seen, faults }).toEqual({ seen: [answer(2)], faults: ['oversizedMessages'] })
  })

  it('is refused when it is a request of the server, so that it does not wait', async () => {
    const { stdout, stdin, seen } = openTransport(50_000)
    await soon()
    stdin.read()
    stdout.write(large(`"id":1,"method":"sampling/createMessage","params":{"text":"${text}"}`))
    await soon()
    const sent = JSON.parse(String(stdin.read())) as unknown
    expect(sent).toMatchObject({ id: 1, error: { code: -32_600 } })
    expect(seen).toEqual([])
  })
})

describe('B3 what a server writes against the protocol', () => {
  it('reaches nobody but the counters', async () => {
    const { stdout, seen, faults } = openTransport()
    const lines = [answer(1), answer(1), answer(77), { jsonrpc: '2.0', id: null, result: {} }]
    stdout.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    await soon()
    expect(seen).toEqual([answer(1)])
    expect(faults).toEqual(['duplicateAnswers', 'unknownAnswers', 'unknownAnswers'])
  })

  it('is refused when it is a request of a wrong shape', async () => {
    const { stdout, stdin, seen } = openTransport()
    await soon()
    stdin.read()
    stdout.write('{"jsonrpc":"2.0","id":"a","method":"roots/list","params":[1]}\n')
    await soon()
    expect(JSON.parse(String(stdin.read()))).toMatchObject({ id: 'a', error: { code: -32_600 } })
    expect(seen).toEqual([])
  })
})

describe('B3 a server that asks and does not read the answers', () => {
  it('is heard again once it reads, and its later answers are not lost', async () => {
    const { stdout, stdin, seen, transport } = openTransport()
    transport.onmessage = (message) => {
      seen.push(message)
      if ('method' in message && 'id' in message)
        void transport.send({ jsonrpc: '2.0', id: message.id, result: {} })
    }
    stdout.write(`${JSON.stringify(ping(1))}\n`.repeat(9_000))
    stdout.write(`${JSON.stringify(answer(2))}\n`)
    await expect.poll(() => seen.length).toBeGreaterThan(900)
    await pause(300)
    // What the pipe itself holds comes on top.
    expect(seen.length).toBeLessThan(6_000)
    stdin.resume()
    await expect.poll(() => seen.length).toBe(9_001)
    expect(seen.at(-1)).toEqual(answer(2))
  })
})

describe('B7 the end of a server', () => {
  it('comes after its last notification and answer, in their order', async () => {
    const { stdout, end, transport, closed } = openTransport()
    const order: string[] = []
    // The SDK handles a notification a microtask later than an answer.
    transport.onmessage = (message) => {
      if ('id' in message) order.push('answer')
      else queueMicrotask(() => order.push('progress'))
    }
    stdout.end([progress, answer(1)].map((one) => `${JSON.stringify(one)}\n`).join(''))
    end({ code: 0, signal: null })
    await closed
    expect(order).toEqual(['progress', 'answer'])
  })

  it('comes after all that waits for its turn, in its order', async () => {
    const { stdout, end, seen, closed } = openTransport()
    const notes = Array.from({ length: 3_000 }, (_, at) => ({
      ...progress,
      params: { progressToken: 1, progress: at },
    }))
    stdout.end([...notes, answer(1)].map((one) => `${JSON.stringify(one)}\n`).join(''))
    end({ code: 0, signal: null })
    await closed
    expect(seen).toEqual([...notes, answer(1)])
  })

  it('closes the connection after the exit although something else holds the pipe', async () => {
    const { end, closed } = openTransport()
    end({ code: 1, signal: null })
    await closed
  })

  it('closes the connection when stdout ends although the process lives on, without waiting for it', async () => {
    const { stdout, closed } = openTransport()
    const order: string[] = []
    const later = pause(1_500).then(() => order.push('much later'))
    stdout.end()
    await Promise.all([closed.then(() => order.push('closed')), later])
    expect(order).toEqual(['closed', 'much later'])
  })

  it('delivers a last answer without its newline first', async () => {
    const { stdout, end, seen, closed } = openTransport()
    stdout.end(JSON.stringify(answer(6)))
    end({ code: 0, signal: null })
    await closed
    expect(seen).toEqual([answer(6)])
  })
})
