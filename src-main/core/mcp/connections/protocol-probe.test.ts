import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { type Answer, json, OlderRemote, status } from '../../../../e2e/fixtures/older-remote'
import { RemoteServer } from '../../../../e2e/fixtures/remote-server'
import { Supervisors } from '../../../../e2e/fixtures/supervisors'
import type { ProtocolOptions } from '../../../../src-shared/domain/installation/installation'
import { isFailed } from '../../../../src-shared/domain/running/run-status'
import type { SessionSupervisor } from '../../servers/session-supervisor'

let stack: AsyncDisposableStack
let found: object[]
beforeEach(() => {
  stack = new AsyncDisposableStack()
  found = []
})
afterEach(() => stack.disposeAsync())

function open(url: URL, handshakeMs = 10_000, protocol?: ProtocolOptions) {
  const supervisors = stack.use(new Supervisors())
  const remember = (one: object) => void found.push(one)
  const spoken = { era: undefined, transport: undefined, remember }
  return supervisors.open({ remote: { url, spoken, protocol }, handshakeMs })
}

const until = (server: SessionSupervisor, kind: string) =>
  expect.poll(() => JSON.stringify(server.status)).toContain(`"kind":"${kind}"`)

/** Two thirds of it are for the question; what is left is long enough for the handshake that follows. */
const HANDSHAKE_MS = 9_000

describe('B13 the question for the era over HTTP', () => {
  it.each<[string, Answer, string]>([
    ['a fault', status(500, 'Not initialized'), 'guess'],
    ['a fault of what stands before it', status(502, '<html></html>', 'text/html'), 'guess'],
    ['a 202', status(202), 'guess'],
    ['a text', status(200, 'ok'), 'guess'],
    ['nothing as JSON', status(200, '', 'application/json'), 'guess'],
    [
      'an answer without an id',
      json({ jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'No' } }),
      'answer',
    ],
    ['a cut connection', (response) => response.destroy(), 'guess'],
    ['a refusal', status(400, 'No session'), 'answer'],
  ])('that an older server meets with %s is a "no"', async (_title, answer, kind) => {
    const remote = stack.use(await OlderRemote.open())
    remote.answers['server/discover'] = answer
    const { server } = open(remote.url, HANDSHAKE_MS)
    server.start()
    await until(server, 'ready')
    expect(server.session?.era).toBe('legacy')
    expect(remote.asked.slice(0, 2)).toEqual(['server/discover', 'initialize'])
    expect(found).toEqual([
      { era: 'legacy', transport: 'streamable-http', ...(kind === 'guess' && { isGuess: true }) },
    ])
  })

  it('that an older server refuses only after it was given up is a "no"', async () => {
    const remote = stack.use(await OlderRemote.open())
    // Refused during the handshake, it would be an answer and no guess.
    const isReady = Promise.withResolvers<undefined>()
    const isRefused = Promise.withResolvers<undefined>()
    remote.answers['server/discover'] = (response) =>
      void isReady.promise.then(() => {
        status(400)(response, undefined)
        isRefused.resolve(undefined)
      })
    const { server } = open(remote.url, HANDSHAKE_MS)
    server.start()
    await until(server, 'ready')
    isReady.resolve(undefined)
    await isRefused.promise
    expect(server.session?.era).toBe('legacy')
    expect(remote.asked.slice(0, 2)).toEqual(['server/discover', 'initialize'])
    expect(found).toEqual([{ era: 'legacy', transport: 'streamable-http', isGuess: true }])
  })

  it.each([
    [401, 'signInNeeded'],
    [403, 'error'],
  ])('is the end where it is met with %i', async (code, kind) => {
    const remote = stack.use(await OlderRemote.open())
    remote.answers['server/discover'] = status(code)
    const { server } = open(remote.url)
    server.start()
    await until(server, kind)
    expect(remote.asked).toEqual(['server/discover'])
  })

  it('tells what the handshake after it met where the server fails at everything', async () => {
    const remote = stack.use(await OlderRemote.open())
    remote.answers['server/discover'] = remote.answers.initialize = status(503, 'Down')
    const { server } = open(remote.url)
    server.start()
    await until(server, 'error')
    expect(isFailed(server.status) && [server.status.code, server.status.message]).toEqual([
      'REMOTE_FAILED',
      `${remote.url.host} failed (503). Server message: Down`,
    ])
  })

  it('is asked once more where one of the newer era alone was too slow at first', async () => {
    const remote = stack.use(await RemoteServer.open('modern'))
    const { server } = open(new URL(remote.url), HANDSHAKE_MS)
    server.start()
    const awake = Promise.withResolvers<undefined>()
    let asked = 0
    remote.intercept = (request, response) => {
      asked += 1
      // It is asked something else once the question was given up.
      if (asked > 1) awake.resolve(undefined)
      void awake.promise.then(() => remote.pass(request, response))
      return true
    }
    await until(server, 'ready')
    expect(server.session?.era).toBe('modern')
    expect(found.at(-1)).toEqual({ era: 'modern', transport: 'streamable-http' })
  })
})

describe('B13 a protocol version that the user chose, over HTTP', () => {
  it('is the only one that is tried: initialize for sessions', async () => {
    const remote = stack.use(await OlderRemote.open())
    const { server } = open(remote.url, HANDSHAKE_MS, { version: 'sessions' })
    server.start()
    await until(server, 'ready')
    expect(remote.asked[0]).toBe('initialize')
  })

  it('is the only one that is tried: server/discover for stateless', async () => {
    const remote = stack.use(await OlderRemote.open())
    const { server } = open(remote.url, HANDSHAKE_MS, { version: 'stateless' })
    server.start()
    await until(server, 'error')
    expect(remote.asked[0]).toBe('server/discover')
    expect(remote.asked).not.toContain('initialize')
  })
})
