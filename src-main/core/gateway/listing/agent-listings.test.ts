import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { AgentDesk } from '../../../../e2e/fixtures/agent-desk'
import { listedServer, listedTool } from '../../../../e2e/fixtures/judged-servers'
import { AgentProfile } from '../../../../src-shared/domain/agents/agent'
import { listPage } from '../calls/agent-answer'
import type { AgentListing } from './agent-listing'

/** A desk with two servers, one agent each for the profiles that a test needs. */
function desk(): AgentDesk {
  const made = new AgentDesk()
  made.serve(listedServer('git', ['log', 'push']), listedServer('files', ['read', 'write', 'move']))
  return made
}

describe('C7 what an agent is shown', () => {
  it('is every tool that the choice of each server leaves, in the order of servers', () => {
    const at = desk()
    at.agent('a')
    expect(at.names('a')).toEqual([
      'git__log',
      'git__push',
      'files__read',
      'files__write',
      'files__move',
    ])
    at.serve(
      listedServer('git', ['log', 'push'], { choice: { kind: 'list', names: ['log'] } }),
      listedServer('files', ['read'], { isEnabled: false }),
    )
    expect(at.names('a')).toEqual(['git__log'])
  })

  it('is of the servers that its profile names, and of their tools those that it chooses', () => {
    const at = desk()
    const list = [
      {
        installationId: 'files',
        choice: { kind: 'list' as const, names: ['move', 'read', 'gone'] },
      },
      { installationId: 'git', choice: { kind: 'none' as const } },
    ]
    at.agent('a', { servers: { kind: 'list', list } })
    expect(at.names('a')).toEqual(['files__read', 'files__move'])
    expect(at.listings.of('a').servers.map(({ installationId }) => installationId)).toEqual([
      'files',
    ])
  })

  it('has only tools marked read-only where the profile says so, also those added later', () => {
    const at = new AgentDesk()
    const marked = (name: string): ReturnType<typeof listedTool> => {
      const { tool, ...rest } = listedTool(name)
      return { ...rest, tool: { ...tool, annotations: { readOnlyHint: true } } }
    }
    at.agent('a', { servers: { kind: 'readOnly' } })
    const git = listedServer('git', [], { tools: [marked('log'), listedTool('push')] })
    at.serve(git)
    expect(at.names('a')).toEqual(['git__log'])
    at.serve(git, listedServer('files', [], { tools: [marked('read'), listedTool('write')] }))
    expect(at.names('a')).toEqual(['git__log', 'files__read'])
  })

  it('is no tool that is held, refused or quarantined', () => {
    const at = new AgentDesk()
    const tools = [
      listedTool('new', { verdict: 'new' }),
      listedTool('changed', { verdict: 'changed' }),
      listedTool('refused', { verdict: 'refused' }),
      listedTool('a b'),
      listedTool('fine'),
    ]
    at.serve(listedServer('one', [], { tools }))
    for (const naming of ['prefixed', 'plain'] as const) {
      at.agent(naming, { naming })
      expect(at.listings.of(naming).callable.map(({ placed }) => placed.tool.name)).toEqual([
        'fine',
      ])
    }
  })

  it('is told as the server wrote it, under another name and with the type that MCP asks for', () => {
    const at = new AgentDesk()
    const { tool, ...judged } = listedTool('read')
    const written = {
      ...tool,
      title: 'Read',
      inputSchema: { properties: {}, 'x-mine': 1 },
      outputSchema: { type: 'object', 'x-mine': 2 },
      annotations: { readOnlyHint: true, 'example.com/cost': 3 },
      icons: [{ src: 'data:image/png;base64,AA==' }],
      'x-unknown': { deep: [1, null] },
      _meta: { a: 1 },
    }
    at.serve(listedServer('one', [], { tools: [{ ...judged, tool: written }] }))
    at.agent('a')
    const [definition] = at.listings.of('a').definitions
    expect(definition).toEqual({
      ...written,
      name: 'one__read',
      inputSchema: { type: 'object', properties: {}, 'x-mine': 1 },
    })
  })

  it('is previewed with a profile that is not saved, and is nothing for an agent that was removed', () => {
    const at = desk()
    at.agent('a')
    const preview = at.listings.preview('a', { ...AgentProfile.parse({}), toolCap: 1 })
    expect([preview.callable.length, preview.overCap]).toEqual([1, 4])
    expect(at.names('a')).toHaveLength(5)
    at.agents.delete('a')
    expect(() => at.listings.of('a')).toThrow('This agent was removed.')
  })
})

describe('C3 the tool limit of an agent', () => {
  it('is kept whatever comes at the same time, and what is over it is counted', () => {
    const at = new AgentDesk()
    at.agent('a', { toolCap: 128 })
    const many = (id: string): ReturnType<typeof listedServer> =>
      listedServer(
        id,
        Array.from({ length: 50 }, (_, index) => `t${String(index)}`),
      )
    for (let count = 1; count <= 20; count += 1) {
      at.serve(...Array.from({ length: count }, (_, index) => many(`s${String(index)}`)))
      const { callable, definitions, overCap } = at.listings.of('a')
      expect(callable).toHaveLength(Math.min(128, 50 * count))
      expect(definitions).toHaveLength(callable.length)
      expect(overCap).toBe(50 * count - callable.length)
    }
  })

  it('does not count what can be found in search mode', () => {
    const at = desk()
    at.agent('a', { toolCap: 1, searchMode: true })
    expect(at.names('a')).toEqual(['find_tools', 'call_tool'])
    const { callable, overCap, definitions } = at.listings.of('a')
    expect([callable.length, overCap]).toEqual([5, 0])
    expect(definitions[0]?.description).toContain('Server git, Server files')
  })
})

describe('C5 a listing', () => {
  it('is the same object until something of it is another, and shared by agents that are shown the same', () => {
    const at = desk()
    at.agent('a')
    at.agent('b', { confirm: 'always', keepsArguments: true })
    at.agent('c', { toolCap: 3 })
    const [a, b, c] = ['a', 'b', 'c'].map((id) => at.listings.of(id))
    expect(a).toBe(b)
    expect(c).not.toBe(a)
    expect(c?.definitions[0]).toBe(a?.definitions[0])
    at.agent('a', { confirm: 'destructive' })
    expect(at.listings.of('a')).toBe(a)
    // A server that nobody is shown moves the directory, and no list.
    const off = listedServer('off', ['x'], { isEnabled: false })
    at.serve(
      listedServer('git', ['log', 'push']),
      listedServer('files', ['read', 'write', 'move']),
      off,
    )
    expect(at.listings.of('a').definitions).toBe(a?.definitions)
    // Of prompts that moved the other lists stay.
    at.offer('git', { prompts: [{ name: 'review' }] })
    const now = at.listings.of('a')
    expect([now.prompts.length, now.resources]).toEqual([1, a?.resources])
    expect([now.definitions === a?.definitions, now.resources === a?.resources]).toEqual([
      true,
      true,
    ])
  })

  it('of 1,000 tools is made and written once while nothing changed', () => {
    const at = new AgentDesk()
    const names = Array.from({ length: 1_000 }, (_, index) => `tool_${String(index)}`)
    at.serve(listedServer('many', names))
    at.agent('a', { toolCap: 10_000 })
    const read = vi.spyOn(at.capabilities, 'get')
    const written = vi.spyOn(JSON, 'stringify')
    onTestFinished(() => void vi.restoreAllMocks())
    const listing = at.listings.of('a')
    const textOf = (one: AgentListing): unknown =>
      listPage('tools/list', one, undefined, '2025-11-25').text
    const text = textOf(listing)
    const counts = (): number[] => [read.mock.calls.length, written.mock.calls.length]
    const once = counts()
    expect(Math.min(...once)).toBeGreaterThan(0)
    const again = Array.from({ length: 100 }, () => at.listings.of('a'))
    const texts = again.map(textOf)
    expect(counts()).toEqual(once)
    expect(again.every((one) => one === listing)).toBe(true)
    expect(texts.every((one) => one === text)).toBe(true)
    expect(() => listPage('tools/list', listing, 'x', '2025-11-25')).toThrow('Invalid cursor')
  })
})

describe('C2 resources and prompts of an agent', () => {
  const resource = { uri: 'file:///a', name: 'a' }

  it('are those of the servers that it is shown, with an address for each that lists the same', () => {
    const at = desk()
    at.offer('git', { resources: [resource], prompts: [{ name: 'go', title: 'Go', icons: [] }] })
    at.offer('files', {
      resources: [
        { ...resource, name: 'other' },
        { uri: 'file:///b', name: 'b' },
      ],
      resourceTemplates: [{ uriTemplate: 'file:///{path}', name: 'any' }],
      prompts: [{ name: 'go' }],
    })
    at.agent('a')
    const { resources, templates, prompts } = at.listings.of('a')
    expect(resources.map((one) => [one.installationId, one.resource.uri])).toEqual([
      ['git', 'patchbay://git/file%3A%2F%2F%2Fa'],
      ['files', 'patchbay://files/file%3A%2F%2F%2Fa'],
      ['files', 'file:///b'],
    ])
    expect(templates.map(({ installationId }) => installationId)).toEqual(['files'])
    expect(prompts.map(({ definition }) => definition)).toEqual([
      { name: 'git__go', title: 'Go', icons: [] },
      { name: 'files__go' },
    ])
    const list = [{ installationId: 'files', choice: { kind: 'none' as const } }]
    at.agent('a', { servers: { kind: 'list', list } })
    const none = at.listings.of('a')
    expect([none.resources, none.templates, none.prompts]).toEqual([[], [], []])
  })
})
