import { describe, expect, it } from 'vitest'

import { type Answer, json, status } from '../../../../e2e/fixtures/older-remote'
import { RemoteServer } from '../../../../e2e/fixtures/remote-server'
import { ending, startedRemote, supervised } from '../../../../e2e/fixtures/supervised'

/** Two thirds of it are for the probe; what is left is long enough for the handshake that follows. */
const HANDSHAKE_MS = 9_000
const FIRST = ['server/discover', 'initialize']
const PROBE = 'server/discover'

/** What is remembered of a server's protocol. */
function memory() {
  const found: object[] = []
  const remember = (one: object): unknown => found.push(one)
  return { found, spoken: { era: undefined, transport: undefined, remember } }
}

async function probed(answer: Answer) {
  const { found, spoken } = memory()
  const options = { remote: { spoken }, handshakeMs: HANDSHAKE_MS }
  const { server, remote } = await startedRemote({ [PROBE]: answer }, options)
  expect([server.session?.era, remote.asked.slice(0, 2)]).toEqual(['legacy', FIRST])
  return found
}

const remembered = (isGuess: boolean): object[] => [
  { era: 'legacy', transport: 'streamable-http', ...(isGuess && { isGuess }) },
]

describe('B13 the probe for the stateless protocol over HTTP', () => {
  it.each<[string, Answer, boolean]>([
    ['a 500', status(500, 'Not initialized'), true],
    ['a 502 of a proxy', status(502, '<html></html>', 'text/html'), true],
    ['a 202', status(202), true],
    ['a text', status(200, 'ok'), true],
    ['an empty JSON body', status(200, '', 'application/json'), true],
    ['a cut connection', (response) => response.destroy(), true],
    ['an error without an id', json({ jsonrpc: '2.0', id: null, error: { code: 1 } }), false],
    ['a 400', status(400, 'No session'), false],
  ])('is followed by initialize where it is answered with %s', async (_title, answer, isGuess) => {
    expect(await probed(answer)).toEqual(remembered(isGuess))
  })

  it('is followed by initialize where it is rejected only after it was given up', async () => {
    // Rejected during the handshake, it would be an answer and no guess.
    const isReady = Promise.withResolvers<undefined>()
    const found = await probed((response) => {
      void isReady.promise.then(() => status(400)(response, undefined))
    })
    isReady.resolve(undefined)
    expect(found).toEqual(remembered(true))
  })

  it.each([
    [401, 'signInNeeded'],
    [403, 'error'],
  ])('is the last request where it is answered with %i', async (code, kind) => {
    const { remote } = await startedRemote({ [PROBE]: status(code) }, {}, kind)
    expect(remote.asked).toEqual([PROBE])
  })

  it('leaves it to initialize to name what a server fails with', async () => {
    const down = status(503, 'Down')
    const { failure, remote } = await startedRemote(
      { [PROBE]: down, initialize: down },
      {},
      'error',
    )
    const message = `${remote.url.host} failed (503). Server message: Down`
    expect(failure()).toEqual(['REMOTE_FAILED', message])
  })

  it('is sent once more to a stateless server that was too slow at first', async () => {
    const remote = ending(await RemoteServer.open('modern'))
    const { found, spoken } = memory()
    const opening = { remote: { url: new URL(remote.url), spoken }, handshakeMs: HANDSHAKE_MS }
    const { server, until } = supervised(opening)
    const awake = Promise.withResolvers<undefined>()
    let requests = 0
    remote.intercept = (request, response) => {
      requests += 1
      // It gets another request once the probe was given up.
      if (requests > 1) awake.resolve(undefined)
      void awake.promise.then(() => remote.pass(request, response))
      return true
    }
    server.start()
    await until('ready')
    expect(server.session?.era).toBe('modern')
    expect(found.at(-1)).toEqual({ era: 'modern', transport: 'streamable-http' })
  })

  it.each([
    ['sessions', 'ready', 'initialize', PROBE],
    ['stateless', 'error', PROBE, 'initialize'],
  ] as const)('is decided by the version that the user chose: %s', async (...row) => {
    const [version, kind, first, never] = row
    const { remote } = await startedRemote({}, { remote: { protocol: { version } } }, kind)
    expect(remote.asked[0]).toBe(first)
    expect(remote.asked).not.toContain(never)
  })
})
