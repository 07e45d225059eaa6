import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { type Answer, json, status } from '../../../e2e/fixtures/older-remote'
import { RemoteServer } from '../../../e2e/fixtures/remote-server'
import { ending, spokenMemory, startedRemote, supervised } from '../../../e2e/fixtures/supervised'
import { tempFolder } from '../../../e2e/fixtures/temp-folder'
import { node } from '../../../e2e/fixtures/test-servers'
import type { ProtocolOptions } from '../../../src-shared/domain/installation/installation'
import { ProtocolVersionCache } from './negotiate'

const SERVERS = join(import.meta.dirname, '../../../e2e/servers')

const PROBE = 'server/discover'
const SESSIONS = ['initialize', 'tools/list']
const STATELESS = { version: 'stateless' } as const

type Opening = {
  readonly kind?: string
  readonly startsAgain?: boolean
  readonly protocol?: ProtocolOptions
  /** The remembered version of its package. */
  readonly protocolMode?: 'stateless'
}

/** Starts a server over stdio, and waits for a status of this kind. */
async function open(script: string, way?: string, opening: Opening = {}) {
  const { kind = 'ready', startsAgain = false, protocol, protocolMode } = opening
  const folder = tempFolder('era')
  const memory = () => new ProtocolVersionCache(folder).of('package 1.0.0', true)
  if (protocolMode) memory().remember({ protocolMode })
  const spec = node(join(SERVERS, script), ...(way === undefined ? [] : [way]))
  const opened = supervised({ spec, spoken: memory, settings: { startsAgain }, protocol })
  const { server, lines } = opened
  const methods = () => lines().filter((line) => /^(server|initialize|tools)/u.test(line))
  const spoken = () => [server.session?.protocolMode, server.session?.protocolVersion]
  server.start()
  await opened.until(kind)
  return { ...opened, memory, methods, spoken }
}

describe('B13: the protocol version of a server over stdio', () => {
  it('comes from initialize if the server supports both', async () => {
    const { server, spoken, memory } = await open('modern.mjs')
    expect(spoken()).toEqual(['sessions', '2025-11-25'])
    expect([memory().protocolMode, server.faults.malformedAnswers]).toEqual(['sessions', 0])
  })

  it('comes from server/discover on the same child after a rejected initialize, and is remembered', async () => {
    const { server, spoken, memory, call, supervisors } = await open('modern.mjs', 'only')
    expect(spoken()).toEqual(['stateless', '2026-07-28'])
    expect(supervisors.marked()).toEqual([server.session?.pid])
    expect(memory().protocolMode).toBe('stateless')
    expect(await call('pid')).toMatchObject({ content: [{ text: String(server.session?.pid) }] })
    expect(await server.session?.ping(5_000)).toBe(true)
    const { session } = server
    server.restart()
    await expect.poll(() => server.session !== session && server.status.kind).toBe('ready')
    expect(spoken()).toEqual(['stateless', '2026-07-28'])
    expect(Object.values(server.faults).every((count) => count === 0)).toBe(true)
  })

  it.each<[string, string, Opening, string[]]>([
    [
      'the remembered version is rejected',
      'null in results',
      { protocolMode: 'stateless' },
      [PROBE, ...SESSIONS],
    ],
    [
      'the request was rejected for another reason',
      'refuses the key',
      { kind: 'error' },
      ['initialize'],
    ],
    [
      'the user selected another',
      'null in results',
      { kind: 'error', protocol: STATELESS },
      [PROBE],
    ],
    ['the server pings first', 'pings first', {}, SESSIONS],
    ['an unknown method ends the server', 'dies on unknown methods', {}, SESSIONS],
    ['an unknown method silences the server', 'deaf after unknown methods', {}, SESSIONS],
  ])('comes from the expected requests if %s', async (_where, way, opening, expected) => {
    const { methods, memory, failure } = await open('loose.mjs', way, opening)
    expect(methods()).toEqual(expected)
    if (opening.kind !== 'error') expect(memory().protocolMode).toBe('sessions')
    else expect(failure()[0]).toBe('HANDSHAKE_FAILED')
  })

  it.each([
    ['unknown version', 'version 1.0. Patchbay supports 2024-10-07'],
    ['protocol version as a number', 'protocolVersion is a number, but a string is expected.'],
  ])('fails once, with one sentence, if it is unusable: %s', async (way, words) => {
    const opening = { kind: 'error', startsAgain: true }
    const { failure, methods } = await open('loose.mjs', way, opening)
    expect(failure()).toEqual(['INVALID_ANSWER', expect.stringContaining(words)])
    expect(methods().filter((method) => method === 'initialize')).toHaveLength(1)
  })
})

describe('C1 and B3: a stateless server', () => {
  it('has invalid elements removed, and results with unknown content forwarded', async () => {
    const { server, call } = await open('broken-modern.mjs', undefined, { kind: 'degraded' })
    expect(server.session?.protocolMode).toBe('stateless')
    expect(server.capabilities.tools.map(({ name }) => name)).toEqual(['odd'])
    expect(server.capabilities.notices).toHaveLength(2)
    expect(await call('odd')).toMatchObject({ content: [{ type: 'smell', strength: 3 }] })
    await expect(server.session?.request('far/off', {})).rejects.toMatchObject({
      message: expect.stringContaining('Not found: far/off') as string,
    })
  })
})

/** Two thirds are for the probe; the rest is long enough for the handshake after it. */
const HANDSHAKE_MS = 9_000

/** Returns what is remembered of a server with sessions that answers the probe like this. */
async function probed(answer: Answer): Promise<object[]> {
  const { found, spoken } = spokenMemory()
  const options = { remote: { spoken }, handshakeMs: HANDSHAKE_MS }
  const { server, remote } = await startedRemote({ [PROBE]: answer }, options)
  expect([server.session?.protocolMode, remote.requests.slice(0, 2)]).toEqual([
    'sessions',
    [PROBE, 'initialize'],
  ])
  return found
}

const remembered = (isGuess: boolean): object[] => [
  { protocolMode: 'sessions', transport: 'streamable-http', ...(isGuess && { isGuess }) },
]

describe('B13: the probe for the stateless protocol over HTTP', () => {
  it.each<[string, Answer, boolean]>([
    ['a 500', status(500, 'Not initialized'), true],
    ['a 202', status(202), true],
    ['a text', status(200, 'ok'), true],
    ['an empty JSON body', status(200, '', 'application/json'), true],
    ['a cut connection', (response) => response.destroy(), true],
    ['an error without an id', json({ jsonrpc: '2.0', id: null, error: { code: 1 } }), false],
    ['a 400', status(400, 'No session'), false],
  ])('is followed by initialize after %s', async (_title, answer, isGuess) => {
    expect(await probed(answer)).toEqual(remembered(isGuess))
  })

  const rejection = (id: unknown, supported: readonly string[]): object => {
    const error = { code: -32_022, message: 'Unsupported version', data: { supported } }
    return { jsonrpc: '2.0', id, error }
  }

  it.each([
    ['its own version', ['2026-07-28'], [PROBE, PROBE, 'initialize']],
    ['another version', ['2027-01-01'], [PROBE, 'initialize']],
  ])('is repeated once if the rejection lists %s', async (_what, supported, asked) => {
    const answer: Answer = (response, id) => json(rejection(id, supported))(response, id)
    const { remote } = await startedRemote({ [PROBE]: answer })
    expect(remote.requests.slice(0, asked.length)).toEqual(asked)
  })

  it('finds a stateless server that rejects its own version once', async () => {
    let requests = 0
    const discovery = { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }
    const { server } = await startedRemote({
      [PROBE]: (response, id) => {
        requests += 1
        const result = { jsonrpc: '2.0', id, result: { resultType: 'complete', ...discovery } }
        json(requests === 1 ? rejection(id, ['2026-07-28']) : result)(response, id)
      },
    })
    expect([server.session?.protocolMode, requests]).toEqual(['stateless', 2])
  })

  it('is followed by initialize if its rejection comes too late', async () => {
    // A rejection during the handshake would be an answer, not a guess.
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
  ])('is the last request after a %i', async (code, kind) => {
    const { remote } = await startedRemote({ [PROBE]: status(code) }, {}, kind)
    expect(remote.requests).toEqual([PROBE])
  })

  it('lets initialize report the failure of a server', async () => {
    const down = status(503, 'Down')
    const opened = await startedRemote({ [PROBE]: down, initialize: down }, {}, 'error')
    const message = `${opened.remote.url.host} failed (503). Server message: Down`
    expect(opened.failure()).toEqual(['REMOTE_FAILED', message])
  })

  it('is repeated at a stateless server that was too slow at first', async () => {
    const remote = ending(await RemoteServer.open('stateless'))
    const { found, spoken } = spokenMemory()
    const opening = { remote: { url: new URL(remote.url), spoken }, handshakeMs: HANDSHAKE_MS }
    const { server, until } = supervised(opening)
    const awake = Promise.withResolvers<undefined>()
    let requests = 0
    remote.intercept = (request, response) => {
      requests += 1
      // The server gets another request after the probe was abandoned.
      if (requests > 1) awake.resolve(undefined)
      void awake.promise.then(() => remote.pass(request, response))
      return true
    }
    server.start()
    await until('ready')
    expect(server.session?.protocolMode).toBe('stateless')
    expect(found.at(-1)).toEqual({ protocolMode: 'stateless', transport: 'streamable-http' })
  })

  it.each([
    ['sessions', 'ready', 'initialize', PROBE],
    ['stateless', 'error', PROBE, 'initialize'],
  ] as const)('follows the version that the user selected: %s', async (...row) => {
    const [version, kind, first, never] = row
    const { remote } = await startedRemote({}, { remote: { protocol: { version } } }, kind)
    expect(remote.requests[0]).toBe(first)
    expect(remote.requests).not.toContain(never)
  })
})
