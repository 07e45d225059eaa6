import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { started, type Supervised } from '../../../e2e/fixtures/supervised'
import { node } from '../../../e2e/fixtures/supervisors'

const LOOSE = join(import.meta.dirname, '../../../e2e/servers/loose.mjs')

/** The server that departs from the protocol in this way, once it has a status of this kind. */
async function open(way: string, kind = 'ready', more: Parameters<typeof started>[0] = {}) {
  const opened = await started({ spec: node(LOOSE, way), ...more }, kind)
  const { server, lines } = opened
  const requests = (method: string): number => lines().filter((line) => line === method).length
  const warnings = (): string => server.protocolWarnings.map(({ message }) => message).join('\n')
  return { ...opened, requests, warnings }
}

const namesOf = ({ server }: Supervised): string[] =>
  server.capabilities.tools.map(({ name }) => name)

describe('F1 a handshake that departs from the protocol', () => {
  it.each([
    ['tools as a list', 'capabilities.tools is an array'],
    ['tools as true', 'capabilities.prompts is false'],
    ['PHP maps', 'capabilities.experimental is an array'],
    ['null members', 'capabilities.tools.listChanged is null'],
    ['no version', 'serverInfo.version is missing'],
    ['version as number', 'serverInfo.version is a number'],
    ['no server info', 'serverInfo is missing'],
    ['no protocol version', 'protocolVersion is missing'],
    ['no capabilities', 'tools/list works although capabilities.tools is missing'],
  ])('makes a server with %s Ready with its tool, and names the repair', async (way, repair) => {
    const opened = await open(way)
    expect(namesOf(opened)).toEqual(['echo'])
    expect(opened.warnings()).toContain(repair)
    expect(opened.server.faults.malformedAnswers).toBe(0)
  })

  it('makes a server Ready without tools that declares and lists none', async () => {
    const opened = await open('no lists')
    expect([namesOf(opened), opened.warnings()]).toEqual([[], ''])
  })
})

describe('F1 lists, results and notifications with null members', () => {
  it('keeps every element, and ignores one that is null by name', async () => {
    const opened = await open('null lists', 'degraded')
    const { tools, resources, resourceTemplates, prompts, notices } = opened.server.capabilities
    expect(namesOf(opened)).toEqual(['all', 'hints', 'icons'])
    expect([resources.length, resourceTemplates.length, prompts.length]).toEqual([1, 1, 2])
    expect(JSON.stringify({ tools, resources, resourceTemplates, prompts })).not.toContain('null')
    expect(notices).toEqual([expect.stringContaining('Tools: number 4')])
    expect(opened.warnings()).toContain('prompts[].arguments[].required is null')
  })

  it('delivers a result whose _meta and annotations are null', async () => {
    const { server, call } = await open('null in results')
    expect(await call('echo')).toEqual({ content: [{ type: 'text', text: 'forty-two' }] })
    expect(server.faults.malformedAnswers).toBe(0)
  })

  it('answers a ping whose params are null and follows a change announced with them', async () => {
    const opened = await open('null params')
    await expect.poll(() => namesOf(opened).length).toBe(2)
    expect(opened.server.status.kind).toBe('ready')
  })
})

describe('C1 a cursor that stands still', () => {
  it('ends the list without the repeated elements, with one notice', async () => {
    const opened = await open('ignores cursors', 'degraded')
    expect(namesOf(opened)).toEqual(['a', 'b'])
    expect(opened.server.capabilities.notices).toEqual([
      'Tools: the server repeated a cursor, so the list stops there.',
    ])
  })
})

describe('B5 the first listing', () => {
  it('leaves a server Degraded whose other list fails, and names that list', async () => {
    const { server } = await open('one list fails', 'degraded')
    expect(server.capabilities.tools).toHaveLength(1)
    expect(server.capabilities.notices).toEqual([
      'Resources: the list couldn’t be read (connect ECONNREFUSED 127.0.0.1:5999).',
    ])
  })

  it('retries a list that failed beside others until it comes', async () => {
    const { server, requests, until } = await open('one list fails twice', 'degraded')
    await until('ready')
    expect(server.capabilities.prompts.map(({ name }) => name)).toEqual(['late'])
    expect(requests('prompts/list')).toBe(3)
  })

  it('goes on without a list that stays silent', async () => {
    const { server } = await open('one list is silent', 'degraded', { discoverMs: 2_000 })
    expect(server.capabilities.tools).toHaveLength(1)
    expect(server.capabilities.notices[0]).toContain('Prompts: the list couldn’t be read')
  })

  it('retries JSON-RPC errors with growing waits, and fails with the reason', async () => {
    const { requests, lines, failure } = await open('all lists fail', 'error', {
      discoverMs: 4_000,
    })
    expect(failure()).toEqual([
      'DISCOVERY_FAILED',
      'The server couldn’t list its tools, resources, or prompts: The database is away.',
    ])
    expect(requests('tools/list')).toBeLessThanOrEqual(4)
    expect(lines().filter((line) => line.includes('Retrying in')).length).toBeLessThanOrEqual(3)
  })
})

describe('F3 a server that leaves pings unanswered', () => {
  it('stays Ready as long as it answers for the list that it gave before', async () => {
    const settings = { healthMs: 1_000 }
    const { server, requests } = await open('silent to pings', 'ready', { settings })
    const { session } = server
    await expect.poll(() => requests('tools/list'), { timeout: 30_000 }).toBeGreaterThan(4)
    expect([server.session, server.status.kind]).toEqual([session, 'ready'])
    // A ping that was never answered is not sent again.
    expect(requests('ping')).toBe(1)
  })
})

describe('F8 a server that answers elsewhere', () => {
  it('fails a call with the words that it writes on stderr', async () => {
    const { call } = await open('answers on stderr')
    const words = 'to stderr instead of stdout. Server message: The token'
    await expect(call('echo')).rejects.toMatchObject({
      code: 'INVALID_ANSWER',
      message: expect.stringContaining(words) as string,
    })
  })

  it('is Ready with its tools where its messages have Content-Length headers', async () => {
    const opened = await open('frames its messages')
    expect(namesOf(opened)).toEqual(['echo'])
    expect(opened.warnings()).toContain('Content-Length headers')
  })
})

describe('F8 a handshake that takes too long', () => {
  it.each([
    ['says nothing', 'Nothing arrived on stdout.'],
    ['says words only', 'The server wrote 2 lines on stdout that are not messages.'],
    ['answers another id', 'The server sent a response, but to an unknown request.'],
  ])('names what came from a server that %s', async (way, facts) => {
    const { failure } = await open(way, 'error', { handshakeMs: 1_500 })
    expect(failure()[1]).toBe(`The server did not initialize within 1.5 s. ${facts}`)
  })

  it.runIf(process.platform === 'linux')(
    'ends early where a script runs the server in the background',
    async () => {
      const program = `${process.execPath} -e "setInterval(() => {}, 1000)"`
      const env = { PATH: process.env.PATH ?? '' }
      const spec = { command: '/bin/sh', args: ['-c', `${program} & wait $!`], env }
      const { server } = await open('', 'error', { spec, handshakeMs: 60_000 })
      expect(server.status).toMatchObject({
        code: 'HANDSHAKE_FAILED',
        message: expect.stringMatching(/can’t read its input: stdin is \/dev\/null/u) as string,
        hint: expect.stringContaining('in the background') as string,
      })
    },
  )
})
