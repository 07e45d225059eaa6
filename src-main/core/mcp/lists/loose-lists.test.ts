import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { node, Supervisors } from '../../../../e2e/fixtures/supervisors'

const LOOSE = join(import.meta.dirname, '../../../../e2e/servers/loose.mjs')

let supervisors: Supervisors
beforeEach(() => {
  supervisors = new Supervisors()
})
afterEach(() => supervisors[Symbol.asyncDispose]())

async function start(way: string, kind: RegExp, discoverMs?: number) {
  const opened = supervisors.open({ spec: node(LOOSE, way), ...(discoverMs && { discoverMs }) })
  opened.server.start()
  await expect.poll(() => opened.server.status.kind).toMatch(kind)
  const messages = () => opened.server.protocolWarnings.map(({ message }) => message)
  const requests = (method: string) => opened.lines().filter((line) => line === method).length
  return { ...opened, messages, requests }
}

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
    const { server, messages } = await start(way, /ready/u)
    expect(server.capabilities.tools.map(({ name }) => name)).toEqual(['echo'])
    expect(messages().join('\n')).toContain(repair)
    expect(server.faults.malformedAnswers).toBe(0)
  })

  it('makes a server Ready without tools that declares and lists none', async () => {
    const { server, messages } = await start('no lists', /ready/u)
    expect([server.capabilities.tools, messages()]).toEqual([[], []])
  })
})

describe('F1 lists, results and notifications with null members', () => {
  it('keeps every element, and sets one that is null aside by name', async () => {
    const { server, messages } = await start('null lists', /degraded/u)
    const { tools, resources, resourceTemplates, prompts, notices } = server.capabilities
    expect(tools.map(({ name }) => name)).toEqual(['all', 'hints', 'icons'])
    expect([resources.length, resourceTemplates.length, prompts.length]).toEqual([1, 1, 2])
    expect(JSON.stringify({ tools, resources, resourceTemplates, prompts })).not.toContain('null')
    expect(notices).toEqual([expect.stringContaining('Tools: number 4')])
    expect(messages().join('\n')).toContain('prompts[].arguments[].required is null')
  })

  it('delivers a result whose _meta and annotations are null', async () => {
    const { server } = await start('null in results', /ready/u)
    const params = { name: 'echo', arguments: {} }
    expect(await server.session?.request('tools/call', params)).toEqual({
      content: [{ type: 'text', text: 'forty-two' }],
    })
    const { text } = (await server.session?.requestText('tools/call', params)) ?? {}
    expect(String(text)).toContain('forty-two')
    expect(server.faults.malformedAnswers).toBe(0)
  })

  it('answers a ping whose params are null and follows a change announced with them', async () => {
    const { server } = await start('null params', /ready/u)
    await expect.poll(() => server.capabilities.tools.length).toBe(2)
    expect(server.status.kind).toBe('ready')
  })
})

describe('C1 a cursor that stands still', () => {
  it('ends the list without the repeated elements, with one notice', async () => {
    const { server } = await start('ignores cursors', /degraded/u)
    expect(server.capabilities.tools.map(({ name }) => name)).toEqual(['a', 'b'])
    expect(server.capabilities.notices).toEqual([
      'Tools: the server repeated a cursor, so the list stops there.',
    ])
  })
})

describe('B5 the first listing', () => {
  it('leaves a server Degraded whose other list fails, and names that list', async () => {
    const { server } = await start('one list fails', /degraded/u)
    expect(server.capabilities.tools).toHaveLength(1)
    expect(server.capabilities.notices).toEqual([
      'Resources: the list couldn’t be read (connect ECONNREFUSED 127.0.0.1:5999).',
    ])
  })

  it('retries a list that failed beside others until it comes', async () => {
    const { server, requests } = await start('one list fails twice', /degraded/u)
    await expect.poll(() => server.status.kind).toBe('ready')
    expect(server.capabilities.prompts.map(({ name }) => name)).toEqual(['late'])
    expect(requests('prompts/list')).toBe(3)
  })

  it('goes on without a list that stays silent', async () => {
    const { server } = await start('one list is silent', /degraded/u, 2_000)
    expect(server.capabilities.tools).toHaveLength(1)
    expect(server.capabilities.notices[0]).toContain('Prompts: the list couldn’t be read')
  })

  it('retries JSON-RPC errors with growing waits, and fails with the reason', async () => {
    const { server, requests, lines } = await start('all lists fail', /error/u, 4_000)
    expect(server.status).toMatchObject({
      code: 'DISCOVERY_FAILED',
      message: 'The server couldn’t list its tools, resources, or prompts: The database is away.',
    })
    expect(requests('tools/list')).toBeLessThanOrEqual(4)
    expect(lines().filter((line) => line.includes('Retrying in')).length).toBeLessThanOrEqual(3)
  })
})
