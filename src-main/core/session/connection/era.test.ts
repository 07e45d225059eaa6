import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { node, Supervisors } from '../../../../e2e/fixtures/supervisors'
import { isFailed } from '../../../../src-shared/domain/running/run-status'
import type { SessionSupervisor } from '../../servers/session-supervisor'
import { EraMemory } from '../../servers/start/era-memory'

const SERVERS = join(import.meta.dirname, '../../../../e2e/servers')
const DAY_MS = 86_400_000

let supervisors: Supervisors
let now: number
beforeEach(() => {
  supervisors = new Supervisors()
  now = Date.now()
})
afterEach(() => supervisors[Symbol.asyncDispose]())

/** A server over stdio whose era is remembered as that of one version of a package. */
function open(script: string, args: readonly string[] = [], handshakeMs = 10_000) {
  const folder = supervisors.dir
  const memory = () => new EraMemory(folder, () => now)
  const opened = supervisors.open({
    spec: node(join(SERVERS, script), ...args),
    handshakeMs,
    spoken: () => memory().of('package 1.0.0', true),
  })
  const remembered = () => memory().of('package 1.0.0', true).era
  const methods = () => opened.lines().filter((line) => /^(server|initialize|tools)/u.test(line))
  return { ...opened, remembered, methods }
}

const until = (server: SessionSupervisor, kind: string) =>
  expect.poll(() => JSON.stringify(server.status)).toContain(`"kind":"${kind}"`)

const spoken = (server: SessionSupervisor) => [server.session?.era, server.session?.protocolVersion]

describe('B13 the era of a server over stdio', () => {
  it.each([
    ['both eras', []],
    ['the newer era only', ['only']],
  ])('is the newer one where it speaks %s, on the one child that runs', async (_title, args) => {
    const { server, remembered } = open('modern.mjs', args)
    server.start()
    await until(server, 'ready')
    expect(spoken(server)).toEqual(['modern', '2026-07-28'])
    const pids = supervisors.marked()
    expect(pids).toEqual([server.session?.pid])
    expect(
      await server.session?.request('tools/call', { name: 'pid', arguments: {} }),
    ).toMatchObject({ content: [{ text: String(server.session?.pid) }] })
    expect(await server.session?.ping(5_000)).toBe(true)
    expect([remembered(), server.faults]).toEqual(['modern', expect.objectContaining({})])
    expect(Object.values(server.faults).every((count) => count === 0)).toBe(true)
  })

  it.each(['refuses', 'null', 'late', 'silent'])(
    'is the older one where the question for it is met by one that is "%s", on the same child and without a fault',
    async (kind) => {
      const { server, methods, remembered } = open('older.mjs', [kind], 3_000)
      server.start()
      await until(server, 'ready')
      const pid = server.session?.pid
      expect(spoken(server)).toEqual(['legacy', '2025-11-25'])
      expect(methods()).toEqual(['server/discover', 'initialize', 'tools/list'])
      expect(supervisors.marked()).toEqual([pid])
      expect(
        await server.session?.request('tools/call', { name: 'echo', arguments: { a: 1 } }),
      ).toMatchObject({ content: [{ text: '{"a":1}' }] })
      expect(Object.values(server.faults).every((count) => count === 0)).toBe(true)
      expect(remembered()).toBe('legacy')
    },
  )

  it('is not asked for again once a version of a package has answered', async () => {
    const { server, methods } = open('older.mjs')
    server.start()
    await until(server, 'ready')
    now += 400 * DAY_MS
    server.restart()
    await expect.poll(methods).toHaveLength(5)
    expect(methods().slice(3)).toEqual(['initialize', 'tools/list'])
  })

  it('is not asked for again where a version of a package has passed over the question', async () => {
    const { server, methods } = open('older.mjs', ['silent'], 3_000)
    server.start()
    await until(server, 'ready')
    await server.stop()
    now += 400 * DAY_MS
    server.start()
    await expect.poll(methods).toHaveLength(5)
    expect(methods().slice(3)).toEqual(['initialize', 'tools/list'])
  })

  it('is taken for the older one by the next start where the question ended the server, for a day', async () => {
    const { server, methods, lines, remembered } = open('older.mjs', ['dies'])
    server.start()
    await until(server, 'error')
    expect(isFailed(server.status) && [server.status.code, server.status.message]).toEqual([
      'SERVER_EXITED',
      'The server exited with code 1 before it answered.',
    ])
    expect(lines()).toContain(
      'It ended before it answered which protocol it speaks; the next start takes the older one',
    )
    server.start()
    await until(server, 'ready')
    expect(methods()).toEqual(['server/discover', 'initialize', 'tools/list'])
    expect(remembered()).toBe('legacy')
    now += DAY_MS
    expect(remembered()).toBeUndefined()
  })

  it.each([
    ['only', 'error'],
    ['both', 'ready'],
  ])(
    'is the newer one at the next start where it was slow to say so, as one that speaks %s',
    async (eras, first) => {
      const { server, lines, remembered } = open('modern.mjs', [eras, '5500'], 8_000)
      server.start()
      await until(server, first)
      expect(remembered()).toBe('modern')
      const note =
        'It was slow to say that it speaks the newer protocol; the next start waits longer for that'
      expect(lines().includes(note)).toBe(first === 'error')
      now += 400 * DAY_MS
      server.restart()
      await expect.poll(() => [server.status.kind, spoken(server)[0]]).toEqual(['ready', 'modern'])
      expect(Object.values(server.faults).every((count) => count === 0)).toBe(true)
    },
    60_000,
  )

  it('that was remembered wrongly is asked for again after a start that failed', async () => {
    const { server, remembered } = open('modern.mjs', ['only'])
    new EraMemory(supervisors.dir).of('package 1.0.0', true).remember({ era: 'legacy' })
    server.start()
    await until(server, 'error')
    expect(remembered()).toBeUndefined()
    server.start()
    await until(server, 'ready')
    expect(spoken(server)).toEqual(['modern', '2026-07-28'])
  })
})

describe('C1 and B3 what a server of the newer era writes', () => {
  it('is set aside where it is broken, and handed on as it is where it is an answer', async () => {
    const { server } = open('broken-modern.mjs')
    server.start()
    await until(server, 'degraded')
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
