import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { supervised } from '../../../e2e/fixtures/supervised'
import { node } from '../../../e2e/fixtures/supervisors'
import { tempFolder } from '../../../e2e/fixtures/temp-folder'
import type { ProtocolOptions } from '../../../src-shared/domain/installation/installation'
import { EraMemory } from '../servers/start/era-memory'

const SERVERS = join(import.meta.dirname, '../../../e2e/servers')

const PROBE = 'server/discover'
const SESSIONS = ['initialize', 'tools/list']
const STATELESS = { version: 'stateless' } as const

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

  it.each<[string, string, Opening, string[]]>([
    ['the remembered one is rejected', 'null in results', { era: 'modern' }, [PROBE, ...SESSIONS]],
    ['it was rejected for another reason', 'refuses the key', { kind: 'error' }, ['initialize']],
    ['the user chose another', 'null in results', { kind: 'error', protocol: STATELESS }, [PROBE]],
    ['the server pings first', 'pings first', {}, SESSIONS],
  ])('comes from these requests where %s', async (_where, way, opening, expected) => {
    const { methods, memory, failure } = await open('loose.mjs', way, opening)
    expect(methods()).toEqual(expected)
    if (opening.kind !== 'error') expect(memory().era).toBe('legacy')
    else expect(failure()[0]).toBe('HANDSHAKE_FAILED')
  })

  it.each([
    ['stateless', 'modern', '2026-07-28', 'server/discover'],
    ['sessions', 'legacy', '2025-11-25', 'initialize'],
  ] as const)('is the one that the user chose: %s', async (version, era, number, first) => {
    const { spoken, methods } = await open('modern.mjs', undefined, { protocol: { version } })
    expect(spoken()).toEqual([era, number])
    expect(methods().slice(0, 1)).toEqual(methods().length > 0 ? [first] : [])
  })

  it.each([
    ['unknown version', 'INVALID_ANSWER', 'version 1.0. Patchbay supports 2024-10-07'],
    [
      'protocol version as a number',
      'INVALID_ANSWER',
      'protocolVersion is a number, but a string is expected.',
    ],
  ])('fails in one sentence where it is unusable: %s', async (way, code, words) => {
    const opening = { kind: 'error', startsAgain: code === 'INVALID_ANSWER' }
    const { failure, methods } = await open('loose.mjs', way, opening)
    expect(failure()).toEqual([code, expect.stringContaining(words)])
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
