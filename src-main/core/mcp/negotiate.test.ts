import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { node, Supervisors } from '../../../e2e/fixtures/supervisors'
import type { ProtocolOptions } from '../../../src-shared/domain/installation/installation'
import { isFailed } from '../../../src-shared/domain/running/run-status'
import { EraMemory } from '../servers/start/era-memory'

const SERVERS = join(import.meta.dirname, '../../../e2e/servers')

let supervisors: Supervisors
beforeEach(() => {
  supervisors = new Supervisors()
})
afterEach(() => supervisors[Symbol.asyncDispose]())

/** A server over stdio whose protocol is remembered as that of one version of a package. */
function open(
  script: string,
  args: readonly string[] = [],
  startsAgain = false,
  protocol?: ProtocolOptions,
) {
  const memory = () => new EraMemory(supervisors.dir).of('package 1.0.0', true)
  const opened = supervisors.open({
    spec: node(join(SERVERS, script), ...args),
    spoken: memory,
    settings: { startsAgain },
    protocol,
  })
  const methods = () => opened.lines().filter((line) => /^(server|initialize|tools)/u.test(line))
  const until = (kind: RegExp) => expect.poll(() => opened.server.status.kind).toMatch(kind)
  const spoken = () => [opened.server.session?.era, opened.server.session?.protocolVersion]
  return { ...opened, memory, methods, until, spoken }
}

describe('B13 the protocol version of a server over stdio', () => {
  it('comes from initialize where a server speaks both eras', async () => {
    const { server, until, spoken, memory } = open('modern.mjs')
    server.start()
    await until(/ready/u)
    expect(spoken()).toEqual(['legacy', '2025-11-25'])
    expect([memory().era, server.faults.malformedAnswers]).toEqual(['legacy', 0])
  })

  it('comes from server/discover on the same child once initialize was rejected, and is remembered', async () => {
    const { server, until, spoken, memory } = open('modern.mjs', ['only'])
    server.start()
    await until(/ready/u)
    expect(spoken()).toEqual(['modern', '2026-07-28'])
    expect(supervisors.marked()).toEqual([server.session?.pid])
    expect(memory().era).toBe('modern')
    expect(
      await server.session?.request('tools/call', { name: 'pid', arguments: {} }),
    ).toMatchObject({ content: [{ text: String(server.session?.pid) }] })
    expect(await server.session?.ping(5_000)).toBe(true)
    const { session } = server
    server.restart()
    await expect.poll(() => server.session !== session && server.status.kind).toBe('ready')
    expect(spoken()).toEqual(['modern', '2026-07-28'])
    expect(Object.values(server.faults).every((count) => count === 0)).toBe(true)
  })

  it.each(['dies on unknown methods', 'deaf after unknown methods'])(
    'needs no request that breaks a server that %s',
    async (way) => {
      const { server, until, methods, spoken } = open('loose.mjs', [way])
      server.start()
      await until(/ready/u)
      expect(spoken()).toEqual(['legacy', '2025-11-25'])
      expect(methods()).toEqual(['initialize', 'tools/list'])
    },
  )

  it('is negotiated by initialize where the remembered one is rejected', async () => {
    const { server, until, methods, memory } = open('loose.mjs', ['null in results'])
    memory().remember({ era: 'modern' })
    server.start()
    await until(/ready/u)
    expect(methods()).toEqual(['server/discover', 'initialize', 'tools/list'])
    expect(memory().era).toBe('legacy')
  })

  it('is not asked for again where initialize was rejected for another reason', async () => {
    const { server, until, methods } = open('loose.mjs', ['refuses the key'])
    server.start()
    await until(/error/u)
    expect(server.status).toMatchObject({
      code: 'HANDSHAKE_FAILED',
      message: 'Initialization failed: The API key is missing.',
    })
    expect(methods()).toEqual(['initialize'])
  })

  it.each([
    ['stateless', 'modern', '2026-07-28', 'server/discover'],
    ['sessions', 'legacy', '2025-11-25', 'initialize'],
  ] as const)('is the one that the user chose: %s', async (version, era, number, first) => {
    const { server, until, spoken, methods } = open('modern.mjs', [], false, { version })
    server.start()
    await until(/ready/u)
    expect(spoken()).toEqual([era, number])
    expect(methods().slice(0, 1)).toEqual(methods().length > 0 ? [first] : [])
  })

  it('is no other than the one that the user chose', async () => {
    const { server, until, methods } = open('loose.mjs', ['null in results'], false, {
      version: 'stateless',
    })
    server.start()
    await until(/error/u)
    expect(methods()).toEqual(['server/discover'])
  })

  it('is negotiated with a server that pings before it answers', async () => {
    const { server, until } = open('loose.mjs', ['pings first'])
    server.start()
    await until(/ready/u)
  })

  it.each([
    ['unknown version', 'The server uses protocol version 1.0. Patchbay supports 2024-10-07'],
    ['tools as text', 'is invalid: capabilities.tools is a string, but an object is expected.'],
  ])('fails in one sentence and without a retry where it is unusable: %s', async (way, words) => {
    const { server, until, methods } = open('loose.mjs', [way], true)
    server.start()
    await until(/error|paused|backingOff/u)
    expect(server.status).toMatchObject({ kind: 'error', code: 'INVALID_ANSWER' })
    expect(isFailed(server.status) && server.status.message).toContain(words)
    expect(methods().filter((method) => method === 'initialize')).toHaveLength(1)
  })
})

describe('C1 and B3 what a server of the newer era writes', () => {
  it('is set aside where it is broken, and handed on as it is where it is an answer', async () => {
    const { server, until } = open('broken-modern.mjs')
    server.start()
    await until(/degraded/u)
    expect(server.session?.era).toBe('modern')
    expect(server.capabilities.tools.map(({ name }) => name)).toEqual(['odd'])
    expect(server.capabilities.notices).toHaveLength(2)
    expect(
      await server.session?.request('tools/call', { name: 'odd', arguments: {} }),
    ).toMatchObject({ content: [{ type: 'smell', strength: 3 }] })
    const unknown = server.session?.request('far/off', {})
    await expect(unknown).rejects.toMatchObject({
      message: expect.stringContaining('Not found: far/off') as string,
    })
  })
})
