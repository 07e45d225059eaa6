import { beforeEach, describe, expect, it } from 'vitest'

import { freePort } from '../../../e2e/fixtures/free-port'
import { interfacesWith } from '../../../e2e/fixtures/interfaces-with'
import { ManualClock } from '../../../e2e/fixtures/manual-clock'
import { SseServer } from '../../../e2e/fixtures/sse-server'
import { ending, started, supervised } from '../../../e2e/fixtures/supervised'
import { node } from '../../../e2e/fixtures/test-servers'
import type { Server } from './server'

/** Far more retries than a failed start gets before a pause. */
const TRIES = 9
const HOME = ['192.168.1.7']

let clock: ManualClock
let port: number
/** Addresses of this computer; empty without a network. */
let addresses: readonly string[]

beforeEach(async () => {
  clock = new ManualClock()
  port = await freePort()
  addresses = HOME
})

const serve = async (): Promise<SseServer> => ending(await SseServer.open(port))

/** A remote server whose host name leads to a port of this computer while there is a network. */
function open() {
  const fetch: typeof globalThis.fetch = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    url.host = `127.0.0.1:${port}`
    if (addresses.length > 0) return globalThis.fetch(url, init)
    // The error of `fetch` if a name can't be resolved.
    const cause = Object.assign(new Error('getaddrinfo EAI_AGAIN'), { code: 'EAI_AGAIN' })
    return Promise.reject(new TypeError('fetch failed', { cause }))
  }
  const opened = supervised({
    remote: { url: new URL('http://far.example/sse'), transports: ['sse'], fetch },
    settings: { startsAgain: true },
    time: clock,
    interfaces: () => interfacesWith(addresses),
  })
  opened.server.start()
  return opened
}

/** Waits for the status after the next failed retry; `attempt` is the number of the retry after it. */
async function untilAttempt(server: Server, attempt: number): Promise<void> {
  const status = { kind: 'backingOff', because: 'unreached', attempt }
  await expect.poll(() => server.status).toMatchObject(status)
}

/** Lets retries fail until the wait is the longest. */
async function untilPatient(server: Server): Promise<void> {
  for (let attempt = 2; attempt <= TRIES; attempt += 1) {
    await untilAttempt(server, attempt)
    if (attempt < TRIES) clock.pass(waitOf(server))
  }
}

const waitOf = ({ status }: Server): number =>
  status.kind === 'backingOff' ? status.until - clock.now() : 0

describe('B11: an unreachable remote server', () => {
  it('is retried without end, never paused, and Ready with the first retry after it is back', async () => {
    const before = await serve()
    const { server, lines, until } = open()
    await until('ready')
    await before[Symbol.asyncDispose]()
    await until('backingOff')
    expect(server.status).toMatchObject({ because: 'lostSession', attempt: 1 })
    clock.pass(waitOf(server))
    await untilPatient(server)
    expect(server.status).toMatchObject({
      code: 'REMOTE_UNREACHABLE',
      message: 'Can’t reach far.example: the connection was refused (ECONNREFUSED).',
      isOffline: false,
    })
    expect(waitOf(server)).toBeGreaterThanOrEqual(45_000)
    expect(server.counts.losses).toBe(1)
    expect(lines().filter((line) => line.startsWith('Paused'))).toEqual([])
    const again = await serve()
    clock.pass(waitOf(server))
    await until('ready')
    expect(again.opened).toBe(1)
  })

  it('is offline without a network and retried as soon as it returns', async () => {
    await serve()
    addresses = []
    const { server, until } = open()
    await untilPatient(server)
    expect(server.status).toMatchObject({ isOffline: true })
    addresses = HOME
    clock.pass(3_000)
    await until('ready')
    // The timers of the wake watch and the health check: nothing watches the network now.
    expect(clock.waiting).toBe(2)
  })

  it('becomes offline if the network goes away during the wait', async () => {
    const { server } = open()
    await untilPatient(server)
    expect(server.status).toMatchObject({ isOffline: false })
    addresses = []
    clock.pass(3_000)
    expect(server.status).toMatchObject({ kind: 'backingOff', isOffline: true })
  })

  it('is retried immediately after a wake', async () => {
    const { server, until } = open()
    await untilPatient(server)
    await serve()
    clock.set(3_600_000)
    clock.pass(5_000)
    await until('ready')
  })

  it('is retried again shortly after the network returned during a retry', async () => {
    addresses = []
    const { server } = open()
    await untilPatient(server)
    clock.pass(waitOf(server))
    expect(server.status.kind).toBe('starting')
    addresses = ['10.0.0.4']
    clock.pass(3_000)
    await untilAttempt(server, 2)
    expect(waitOf(server)).toBeLessThanOrEqual(1_250)
  })

  it('is not retried after a stop', async () => {
    const { server } = open()
    await untilAttempt(server, 2)
    await server.stop()
    expect(clock.waiting).toBe(1)
    clock.pass(10_000_000)
    expect([server.status.kind, server.counts.starts]).toEqual(['stopped', 1])
  })

  it('fails calls immediately', async () => {
    const { server } = open()
    await untilAttempt(server, 2)
    await expect(server.ready({ method: 'tools/call', waitMs: 3_600_000 })).rejects.toMatchObject({
      code: 'REMOTE_UNREACHABLE',
      message: expect.stringContaining('Fixture is not running. Can’t reach far.example') as string,
    })
  })
})

describe('A8: a local server', () => {
  it('is paused too if it serves HTTP and its port stays silent', async () => {
    const url = new URL(`http://127.0.0.1:${port}/mcp`)
    const answersOnce = `const server = require('node:http').createServer((_, response) => {
      response.writeHead(404, { connection: 'close' }).end()
      server.close()
    }).listen(${port}, '127.0.0.1')
    setInterval(() => {}, 1_000)`
    const { server, until } = await started(
      {
        spec: node('-e', answersOnce),
        serves: { url, headers: {}, transport: 'streamable-http' },
        settings: { startsAgain: true, startTries: 2 },
        time: clock,
      },
      'backingOff',
    )
    const status = { code: 'REMOTE_UNREACHABLE', because: 'failedStart', attempt: 2, of: 2 }
    expect(server.status).toMatchObject(status)
    clock.pass(waitOf(server))
    await until('paused')
  })
})
