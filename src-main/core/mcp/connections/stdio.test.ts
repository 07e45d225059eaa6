import { once } from 'node:events'

import { describe, expect, it } from 'vitest'

import { openPeer, type Seen, soon, streamChild } from '../../../../e2e/fixtures/open-peer'
import { pause } from '../../../../e2e/fixtures/pause'
import type { RunningChild } from '../../process/spawn/child-process'
import { DEFAULT_STOP_GRACE } from '../../process/spawn/graceful-stop'
import type { ProcessTree } from '../../process/tree/process-tree'
import { StdioConnection } from './stdio'

const answer = (id: number): object => ({ jsonrpc: '2.0', id, result: {} })
const settled = (id: number): Seen => ({ id, result: {} })
const note = (at = 0): object => ({ jsonrpc: '2.0', method: 'notifications/x', params: { at } })
const noted = (at = 0): Seen => ({ method: 'notifications/x', params: { at } })
/** A request of the server, which is always delivered. */
const roots = { jsonrpc: '2.0', id: 's', method: 'roots/list' }
const lines = (...messages: readonly object[]): string =>
  messages.map((one) => `${JSON.stringify(one)}\n`).join('')

const ignore = (): undefined => undefined
const connectionOf = (child: RunningChild, options: object = {}): StdioConnection =>
  new StdioConnection(child, { onNoise: ignore, onWarning: ignore, ...options })

describe("B3: a server's stdout", () => {
  it('is read in order and in linear time with any number of notifications before the response', async () => {
    const { stdout, seen } = openPeer()
    const flood = lines(note()).repeat(2_000)
    for (let part = 0; part < 100; part += 1) if (!stdout.write(flood)) await once(stdout, 'drain')
    stdout.write(lines(note(7), answer(1)))
    await expect.poll(() => seen.length).toBe(200_002)
    expect(seen.slice(-2)).toEqual([noted(7), settled(1)])
  })

  it("is paused, and doesn't block the event loop, while too much arrives", async () => {
    const { stdout, stdin, seen } = openPeer()
    stdin.resume()
    const turns = [0]
    const look = (): void => {
      turns.push(seen.length)
      if (seen.length < 4_000) setImmediate(look)
    }
    setImmediate(look)
    const paused = once(stdout, 'pause')
    for (let part = 0; part < 40; part += 1) stdout.write(lines(note(), roots).repeat(50))
    await paused
    await expect.poll(() => [seen.length, stdout.isPaused()]).toEqual([4_000, false])
    const steps = turns.slice(1).map((count, index) => count - (turns[index] ?? 0))
    expect(Math.max(...steps)).toBeLessThanOrEqual(200)
  })

  it('is resumed once the server reads the responses to its requests, and no response is lost', async () => {
    const { stdout, stdin, seen } = openPeer()
    for (let part = 0; part < 90; part += 1) stdout.write(lines(roots).repeat(100))
    stdout.write(lines(answer(2)))
    await expect.poll(() => seen.length).toBeGreaterThan(900)
    await pause(300)
    // The pipe itself buffers some more.
    expect(seen.length).toBeLessThan(6_000)
    stdin.resume()
    await expect.poll(() => seen.length).toBe(9_001)
    expect(seen.at(-1)).toEqual(settled(2))
  })
})

describe('F8: Content-Length headers, as language servers write them', () => {
  const frame = (message: object, more = ''): string => {
    const body = JSON.stringify(message)
    return `Content-Length: ${Buffer.byteLength(body)}\r\n${more}\r\n${body}`
  }

  it('are parsed with any chunk borders, also between plain lines, and counted', async () => {
    const { stdout, seen, noise, faults } = openPeer()
    const second = frame({ ...answer(2), note: 'a\u2028ä' }, 'Content-Type: application/json\r\n')
    const bytes = Buffer.from(frame(answer(1)) + second + lines(answer(3)) + frame(answer(4)))
    for (const byte of bytes) stdout.write(Buffer.of(byte))
    await soon()
    expect([seen, noise]).toEqual([[1, 2, 3, 4].map(settled), []])
    expect(new Set(faults)).toEqual(new Set(['decoratedLines']))
  })

  it('above the limit drop only their own message', async () => {
    const { stdout, seen, faults } = openPeer(1_000)
    const large = { jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(5_000) } }
    stdout.write(frame(large) + frame(answer(2)))
    await soon()
    expect(seen).toMatchObject([{ id: 1, error: { code: 'MESSAGE_TOO_LARGE' } }, settled(2)])
    expect(faults).toContain('oversizedMessages')
  })
})

const TEXT = JSON.stringify('x'.repeat(100_000))
const DEEP = '['.repeat(600) + ']'.repeat(600)

describe.each([
  ['B2: an oversized message', TEXT, 'MESSAGE_TOO_LARGE', 'oversizedMessages'],
  ['B3: a message that is nested too deeply', DEEP, 'INVALID_ANSWER', 'malformedMessages'],
])('%s', (_title, value, code, fault) => {
  it('fails only its own request', async () => {
    const { stdout, seen, faults, noise } = openPeer(50_000)
    stdout.write(`{"result":{"a":${value}},"jsonrpc":"2.0","id":1}\n${lines(answer(2))}`)
    await soon()
    expect(seen).toMatchObject([{ id: 1, error: { code } }, settled(2)])
    expect({ faults, noise }).toEqual({ faults: [fault], noise: [] })
  })

  it('is rejected if it is a request of the server, and counted if it is a notification', async () => {
    const { stdout, stdin, seen, faults } = openPeer(50_000)
    await soon()
    stdin.read()
    stdout.write(`{"jsonrpc":"2.0","id":1,"method":"roots/list","params":{"a":${value}}}\n`)
    stdout.write(`{"jsonrpc":"2.0","method":"notifications/x","params":{"a":${value}}}\n`)
    await soon()
    expect(JSON.parse(String(stdin.read()))).toMatchObject({ id: 1, error: { code: -32_600 } })
    expect({ seen, faults }).toEqual({ seen: [], faults: [fault, fault] })
  })
})

describe("B3: a line that doesn't look like a message", () => {
  it('is counted if it exceeds the limit, and is noise if it is nested too deeply', async () => {
    const { stdout, faults, noise } = openPeer(50_000)
    stdout.write(`[{"jsonrpc":"2.0","id":1,"result":{"a":${TEXT}}}]\n${DEEP}\n`)
    await soon()
    expect({ faults, noise }).toEqual({ faults: ['oversizedMessages'], noise: [DEEP] })
  })
})

describe('B2: messages to a server', () => {
  it('are batched into one write per turn, until a request times out', async () => {
    const { request, stdin } = openPeer()
    await soon()
    stdin.read()
    for (let count = 0; count < 3; count += 1) void request()
    expect(stdin.writableCorked).toBe(1)
    await soon()
    expect(stdin.writableCorked).toBe(0)
    const sent = String(stdin.read()).trim().split('\n')
    expect(sent.map((line) => JSON.parse(line) as object)).toMatchObject(
      [10, 11, 12].map((id) => ({ id })),
    )
    const late = { error: { code: 'REQUEST_TIMEOUT' } }
    expect(await request('x', { timeoutMs: 1 })).toMatchObject(late)
    await soon()
    for (let count = 0; count < 3; count += 1) void request()
    expect(stdin.writableCorked).toBe(0)
  })

  it('have a pause after each for a server that reads one message per chunk', async () => {
    const { child, stdin } = streamChild()
    const connection = connectionOf(child, { singleWrites: true })
    const chunks: string[] = []
    stdin.on('data', (chunk) => chunks.push(String(chunk)))
    for (const text of ['1', '2', '3']) connection.post({}, text, { onDone: ignore })
    await new Promise((resolve) => setImmediate(resolve))
    expect(chunks).toEqual(['1\n'])
    await expect.poll(() => chunks).toEqual(['1\n', '2\n', '3\n'])
  })

  it('wait for the pipe, and are rejected once too much is queued', async () => {
    const { peer, request, stdin } = openPeer()
    let isSent = false
    void peer.notify('x', { text: 'x'.repeat(70 * 1024 * 1024) }).then(() => (isSent = true))
    await soon()
    expect(isSent).toBe(false)
    expect(await request()).toMatchObject({ error: { code: 'SERVER_NOT_READING' } })
    stdin.resume()
    await expect.poll(() => isSent).toBe(true)
  })
})

describe('B7: the end of a server', () => {
  it('comes after all its messages, in order, including a last response without newline', async () => {
    const { stdout, end, seen, closed } = openPeer()
    const all = Array.from({ length: 3_000 }, (_, at) => at)
    stdout.end(lines(...all.map(note)) + JSON.stringify(answer(1)))
    end({ code: 0, signal: null })
    await closed
    await soon()
    expect(seen.slice(0, 3_001)).toEqual([...all.map(noted), settled(1)])
    const gone = { error: { name: 'ConnectionClosedError' } }
    expect(seen.slice(3_001)).toMatchObject(Array.from({ length: 8 }, () => gone))
  })

  it('fails a request whose response it cuts off', async () => {
    const { stdout, end, seen, closed, noise } = openPeer()
    const half = JSON.stringify(answer(1)).slice(0, -4)
    stdout.end(half)
    end({ code: 1, signal: null })
    await closed
    await soon()
    expect(seen[0]).toMatchObject({ id: 1, error: { name: 'ConnectionClosedError' } })
    expect(noise).toEqual([half])
  })

  it('closes the connection after the exit even if another process holds the pipe', async () => {
    const { end, closed } = openPeer()
    end({ code: 1, signal: null })
    await closed
  })
})

/** Creates a child without a process, with broken pipes, that ends only by SIGTERM. */
function deafChild(onSignal: (name: string) => void): RunningChild {
  let isAlive = true
  const { child, stdin, stdout } = streamChild()
  stdin.destroy()
  stdout.destroy()
  const tree = {
    prefetch: () => Promise.resolve(),
    isAlive: () => Promise.resolve(isAlive),
    signal: (name: string) => {
      isAlive = false
      onSignal(name)
      return Promise.resolve(1)
    },
  }
  return { ...child, tree: tree as unknown as ProcessTree }
}

describe('B6: a child that is stopped because its pipes broke', () => {
  it('ends within the time of any stop, because the wait for its exit counts', async () => {
    const order: string[] = []
    const connection = connectionOf(deafChild((name) => order.push(name)))
    const later = pause(DEFAULT_STOP_GRACE.stdinMs + 1_000).then(() => order.push('a second later'))
    await Promise.all([connection.stop(), later])
    expect(order).toEqual(['SIGTERM', 'a second later'])
  })
})
