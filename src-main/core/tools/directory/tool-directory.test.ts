import { beforeEach, describe, expect, it } from 'vitest'

import { listedServer, listedTool } from '../../../../e2e/fixtures/directory-servers'
import type { ToolChoice } from '../../../../src-shared/domain/tool-choice'
import { type ListedServer, type ResolvedTool, ToolDirectory } from './tool-directory'

let directory: ToolDirectory
beforeEach(() => {
  directory = new ToolDirectory()
})

/** Returns the exposure of each tool, by server and tool name. */
function exposures(): Record<string, string> {
  return Object.fromEntries(
    directory.snapshot.tools.map((one) => [`${one.installationId} ${one.tool.name}`, one.exposure]),
  )
}

function exposed(): (string | undefined)[] {
  return directory.snapshot.tools
    .filter(({ exposure }) => exposure === 'exposed')
    .map(({ exposedName }) => exposedName)
}

function tool(server: string, name: string): ResolvedTool | undefined {
  return directory.snapshot.servers.get(server)?.tools.find((one) => one.tool.name === name)
}

describe('C4: the exposed names', () => {
  it('differ for the same tool of two servers', () => {
    directory.set([listedServer('one', ['read']), listedServer('two', ['read'])])
    expect(exposed()).toEqual(['one__read', 'two__read'])
    expect(tool('one', 'read')?.exposedName).toBe('one__read')
    expect(tool('two', 'read')?.exposedName).toBe('two__read')
  })

  it('exclude a tool that no agent can take, with a reason', () => {
    directory.set([listedServer('one', ['read', 'a\u200bb', 'read'])])
    expect(exposed()).toEqual(['one__read'])
    expect(directory.snapshot.tools.map(({ exposure }) => exposure)).toEqual([
      'exposed',
      'quarantined',
      'quarantined',
    ])
    expect(tool('one', 'a\u200bb')).toMatchObject({
      exposedName: undefined,
      reason: expect.stringContaining('U+200B') as string,
    })
    expect(directory.snapshot.tools[0]?.exposedName).toBe('one__read')
  })

  it.each<[unknown, unknown, string | undefined]>([
    [{ type: 'object' }, { type: 'array' }, undefined],
    [{}, {}, undefined],
    ['object', undefined, 'The input schema is not a JSON object.'],
    [null, undefined, undefined],
    [[{ type: 'object' }], undefined, 'The input schema is not a JSON object.'],
    [{ type: 'string' }, undefined, 'The input schema has type "string", but MCP allows only'],
    [{ type: ['object', 'null'] }, undefined, undefined],
    [{}, 'object', 'The output schema is not a JSON object.'],
  ])(
    'exclude a tool with the input %j and the output %j unless MCP allows them',
    (takes, gives, why) => {
      const odd = { name: 'odd', inputSchema: takes, outputSchema: gives }
      const tools = [listedTool('read'), listedTool('odd', { tool: odd })]
      directory.set([listedServer('one', [], { tools })])
      expect(exposed()).toEqual(why === undefined ? ['one__read', 'one__odd'] : ['one__read'])
      const reason = why === undefined ? undefined : (expect.stringContaining(why) as string)
      const exposure = why === undefined ? 'exposed' : 'quarantined'
      expect(tool('one', 'odd')).toMatchObject({ exposure, reason })
    },
  )
})

describe('E5: a tool that can be called as a task', () => {
  it.each([
    { taskSupport: 'required' },
    { taskSupport: 'optional' },
    { taskSupport: 'forbidden' },
    'required',
    undefined,
  ])('is exposed like any other: %j', (execution) => {
    const heavy = { name: 'heavy', inputSchema: {}, execution }
    directory.set([listedServer('one', [], { tools: [listedTool('heavy', { tool: heavy })] })])
    expect(exposed()).toEqual(['one__heavy'])
  })
})

describe("C7: the user's decisions", () => {
  it('expose the tools that are selected and approved, of enabled servers', () => {
    const verdicts = (['approved', 'new', 'changed', 'refused'] as const).map((pinState) =>
      listedTool(pinState, { pinState }),
    )
    const list: ToolChoice = { kind: 'list', names: ['approved', 'new', 'gone'] }
    directory.set([
      listedServer('all', [], { tools: verdicts }),
      listedServer('list', [], { tools: verdicts, choice: list }),
      listedServer('none', ['x'], { choice: { kind: 'none' } }),
      listedServer('off', ['x', 'y\u200b'], { isEnabled: false }),
    ])
    expect(exposures()).toEqual({
      'all approved': 'exposed',
      'all new': 'needsReview',
      'all changed': 'needsReview',
      'all refused': 'rejected',
      'list approved': 'exposed',
      'list new': 'needsReview',
      'list changed': 'off',
      'list refused': 'off',
      'none x': 'off',
      'off x': 'off',
      'off y\u200b': 'quarantined',
    })
    expect(exposed()).toEqual(['all__approved', 'list__approved'])
    expect(tool('off', 'x')?.reason).toBe('The server is turned off.')
    expect(tool('off', 'x')?.exposedName).toBe('off__x')
    expect(directory.snapshot.servers.get('list')?.unknown).toEqual(['gone'])
  })
})

describe('C5: the generation', () => {
  const one = listedServer('one', ['read', 'write'], {
    alsoListed: { name: 'One', resources: ['r'] },
  })
  const two = listedServer('two', ['read'])
  beforeEach(() => {
    directory.set([one, two])
  })

  it('stays, with the same snapshot object, if the input is equal', () => {
    const before = directory.snapshot
    expect(directory.set([one, two])).toBe(false)
    expect(directory.set(structuredClone([one, two]))).toBe(false)
    expect(directory.snapshot).toBe(before)
  })

  const tools = [listedTool('read', { hash: 'other' }), listedTool('write')]
  const securityWarnings = [
    { kind: 'invisible', where: 'description', message: 'A word.' },
  ] as const
  it.each<[string, ListedServer[]]>([
    ['a server is removed', [one]],
    ['a server is added', [one, two, listedServer('three', [])]],
    ['the order changes', [two, one]],
    ['a server is turned off', [one, { ...two, isEnabled: false }]],
    ['an alias changes', [one, { ...two, alias: 'too' }]],
    ['a selection changes', [one, { ...two, choice: { kind: 'list', names: ['read', 'gone'] } }]],
    ['a definition changes', [{ ...one, tools }, two]],
    ['the order of a list changes', [{ ...one, tools: one.tools.toReversed() }, two]],
    ['a decision changes', [one, { ...two, tools: [listedTool('read', { pinState: 'refused' })] }]],
    [
      'a security warning changes',
      [one, { ...two, tools: [listedTool('read', { securityWarnings })] }],
    ],
    ['other listed items change', [{ ...one, alsoListed: { name: 'One', resources: [] } }, two]],
  ])('increases by one when %s', (_, servers) => {
    const { generation } = directory.snapshot
    expect(directory.set(servers)).toBe(true)
    expect(directory.snapshot.generation).toBe(generation + 1)
    expect(directory.set(structuredClone(servers))).toBe(false)
    expect(directory.snapshot.generation).toBe(generation + 1)
  })

  it('keeps the objects of unchanged parts', () => {
    const before = directory.snapshot
    directory.set([{ ...one, tools }, structuredClone(two)])
    const now = directory.snapshot
    expect(now.servers.get('two')).toBe(before.servers.get('two'))
    expect(now.tools[1]).toBe(before.tools[1])
    expect(now.tools[0]).not.toBe(before.tools[0])
    const added = [listedTool('first'), ...tools]
    directory.set([{ ...one, tools: added }, two])
    expect(directory.snapshot.tools.slice(1)).toEqual(now.tools)
    for (const [index, resolved] of now.tools.entries())
      expect(directory.snapshot.tools[index + 1]).toBe(resolved)
  })
})
