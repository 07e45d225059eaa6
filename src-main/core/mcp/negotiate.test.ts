import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { supervised } from '../../../e2e/fixtures/supervised'
import { node } from '../../../e2e/fixtures/supervisors'
import { tempFolder } from '../../../e2e/fixtures/temp-folder'
import type { ProtocolOptions } from '../../../src-shared/domain/installation/installation'
import { EraMemory } from '../servers/start/era-memory'

const SERVERS = join(import.meta.dirname, '../../../e2e/servers')

type Opening = {
  readonly kind?: string
  readonly startsAgain?: boolean
  readonly protocol?: ProtocolOptions
  /** What is remembered of the version of its package. */
  readonly era?: 'modern'
}

/** A started server over stdio, once it has a status of this kind. */
async function open(script: string, way?: string, opening: Opening = {}) {
  const { kind = 'ready', startsAgain = false, protocol, era } = opening
  const folder = tempFolder('era')
  const memory = () => new EraMemory(folder).of('package 1.0.0', true)
  if (era) memory().remember({ era })
  const spec = node(join(SERVERS, script), ...(way === undefined ? [] : [way]))
  const opened = supervised({ spec, spoken: memory, settings: { startsAgain }, protocol })
  const { server, lines } = opened
  const methods = () => lines().filter((line) => /^(server|initialize|tools)/u.test(line))
  const spoken = () => [server.session?.era, server.session?.protocolVersion]
  server.start()
  await opened.until(kind)
  return { ...opened, memory, methods, spoken }
}

describe('B13 the protocol version of a server over stdio', () => {
  it('comes from initialize where a server speaks both', async () => {
    const { server, spoken, memory } = await open('modern.mjs')
    expect(spoken()).toEqual(['legacy', '2025-11-25'])
    expect([memory().era, server.faults.malformedAnswers]).toEqual(['legacy', 0])
  })

  it('comes from server/discover on the same child once initialize was rejected, and is remembered', async () => {
    const { server, spoken, memory, call, supervisors } = await open('modern.mjs', 'only')
    expect(spoken()).toEqual(['modern', '2026-07-28'])
    expect(supervisors.marked()).toEqual([server.session?.pid])
    expect(memory().era).toBe('modern')
    expect(await call('pid')).toMatchObject({ content: [{ text: String(server.session?.pid) }] })
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
      const { methods, spoken } = await open('loose.mjs', way)
      expect(spoken()).toEqual(['legacy', '2025-11-25'])
      expect(methods()).toEqual(['initialize', 'tools/list'])
    },
  )

  it('comes from initialize where the remembered one is rejected', async () => {
    const { methods, memory } = await open('loose.mjs', 'null in results', { era: 'modern' })
    expect(methods()).toEqual(['server/discover', 'initialize', 'tools/list'])
    expect(memory().era).toBe('legacy')
  })

  it('is not probed where initialize was rejected for another reason', async () => {
    const { failure, methods } = await open('loose.mjs', 'refuses the key', { kind: 'error' })
    const message = 'Initialization failed: The API key is missing.'
    expect(failure()).toEqual(['HANDSHAKE_FAILED', message])
    expect(methods()).toEqual(['initialize'])
  })

  it.each([
    ['stateless', 'modern', '2026-07-28', 'server/discover'],
    ['sessions', 'legacy', '2025-11-25', 'initialize'],
  ] as const)('is the one that the user chose: %s', async (version, era, number, first) => {
    const { spoken, methods } = await open('modern.mjs', undefined, { protocol: { version } })
    expect(spoken()).toEqual([era, number])
    expect(methods().slice(0, 1)).toEqual(methods().length > 0 ? [first] : [])
  })

  it('is no other than the one that the user chose', async () => {
    const opening = { kind: 'error', protocol: { version: 'stateless' } } as const
    const { methods } = await open('loose.mjs', 'null in results', opening)
    expect(methods()).toEqual(['server/discover'])
  })

  it('is negotiated with a server that pings before it answers', async () => {
    const { server } = await open('loose.mjs', 'pings first')
    expect(server.status.kind).toBe('ready')
  })

  it.each([
    ['unknown version', 'The server uses protocol version 1.0. Patchbay supports 2024-10-07'],
    ['tools as text', 'is invalid: capabilities.tools is a string, but an object is expected.'],
  ])('fails in one sentence and without a retry where it is unusable: %s', async (way, words) => {
    const opening = { kind: 'error', startsAgain: true }
    const { failure, methods } = await open('loose.mjs', way, opening)
    expect(failure()).toEqual(['INVALID_ANSWER', expect.stringContaining(words)])
    expect(methods().filter((method) => method === 'initialize')).toHaveLength(1)
  })
})

describe('C1 and B3 a stateless server', () => {
  it('has invalid elements ignored, and results of unknown content passed on', async () => {
    const { server, call } = await open('broken-modern.mjs', undefined, { kind: 'degraded' })
    expect(server.session?.era).toBe('modern')
    expect(server.capabilities.tools.map(({ name }) => name)).toEqual(['odd'])
    expect(server.capabilities.notices).toHaveLength(2)
    expect(await call('odd')).toMatchObject({ content: [{ type: 'smell', strength: 3 }] })
    await expect(server.session?.request('far/off', {})).rejects.toMatchObject({
      message: expect.stringContaining('Not found: far/off') as string,
    })
  })
})
