import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { listedServer, listedTool } from '../../../../e2e/fixtures/directory-servers'
import { ListingsHarness } from '../../../../e2e/fixtures/listings-harness'
import { AgentProfile } from '../../../../src-shared/domain/agents/agent'
import { listPage } from '../calls/agent-answer'
import { agentNames, type NamedOffer } from './agent-listing'

const FOR = { version: '', drawsViews: false }
const GIT = listedServer('git', ['log', 'push'])
const FILES = listedServer('files', ['read', 'write', 'move'])
const MARKED = ['log', 'read'].map((name) => {
  const { tool, ...rest } = listedTool(name)
  return { ...rest, tool: { ...tool, annotations: { readOnlyHint: true } } }
})
/** Tools of which only one is exposed to agents. */
const HELD = [
  ...(['new', 'changed', 'refused'] as const).map((pinState) => listedTool(pinState, { pinState })),
  ...[listedTool('a\u200bb'), listedTool('fine')],
]

/** Opens an agent `a` with these servers. */
function harness(profile: Partial<AgentProfile> = {}, servers = [GIT, FILES]): ListingsHarness {
  const made = new ListingsHarness()
  made.serve(...servers)
  made.agent('a', profile)
  return made
}

describe('C7: the listing of an agent', () => {
  const chosen = { kind: 'list' as const, names: ['move', 'read', 'gone'] }
  const list = [
    { installationId: 'files', choice: chosen },
    { installationId: 'git', choice: { kind: 'none' as const } },
  ]
  const marked = { ...GIT, tools: [...MARKED, listedTool('push')] }
  const ofGit = { ...GIT, choice: { ...chosen, names: ['log'] } }

  it.each<[string, Partial<AgentProfile>, (typeof GIT)[], string]>([
    ['every tool, in the order of servers', {}, [FILES, GIT], 'read write move log push'],
    ["what each server's selection allows", {}, [ofGit], 'log'],
    ['no disabled server', {}, [GIT, { ...FILES, isEnabled: false }], 'log push'],
    ['what its profile selects', { servers: { kind: 'list', list } }, [GIT, FILES], 'read move'],
    ['only read-only tools', { servers: { kind: 'readOnly' } }, [marked], 'log read'],
    ['no held, rejected or quarantined tool', {}, [{ ...GIT, tools: HELD }], 'fine'],
    ['none of these by plain name', { naming: 'plain' }, [{ ...GIT, tools: HELD }], 'fine'],
  ])('has %s', (_, profile, servers, names) => {
    const { callable, definitions, servers: shown } = harness(profile, servers).listings.of('a')
    expect(callable.map(({ resolved }) => resolved.tool.name).join(' ')).toBe(names)
    expect(definitions.map(({ name }) => name)).toEqual(callable.map((one) => one.exposedName))
    const used = new Set(callable.map(({ resolved }) => resolved.installationId))
    expect(shown.map(({ alias }) => alias)).toEqual([...used])
  })

  it('can be previewed with an unsaved profile, and is empty for a removed agent', () => {
    const at = harness()
    const preview = at.listings.preview('a', { ...AgentProfile.parse({}), toolCap: 1 })
    expect([preview.callable.length, preview.overCap]).toEqual([1, 4])
    expect(at.names('a')).toHaveLength(5)
    at.agents.delete('a')
    expect(() => at.listings.of('a')).toThrow('This agent was removed.')
  })
})

describe('F11: tool names', () => {
  const LONG = 'list_pull_request_review_comments_for_repository'
  const CLOUD = listedServer('enterprise-github-cloud', ['search', LONG])

  it("fit the limit of each agent's app, and every listed one can be called", () => {
    const at = harness({}, [CLOUD])
    at.agent('cursor', { nameLimit: 51 })
    for (const [agent, limit] of [['a', 48] as const, ['cursor', 51] as const]) {
      const names = at.names(agent)
      expect(names[0]).toBe('enterprise-github-cloud__search')
      expect(names[1]).toMatch(/^enterprise-github-cloud__list_pull_[a-z_]*_[0-9a-f]{8}$/)
      expect(names[1]).toHaveLength(limit)
      const { byName } = at.listings.of(agent)
      expect(names.map((name) => byName.get(name)?.resolved.tool.name)).toEqual(['search', LONG])
    }
  })

  it("stay within the limit if the app uses the tools' own names", () => {
    const at = harness({ naming: 'plain' }, [listedServer('git', ['x'.repeat(48), 'y'.repeat(49)])])
    expect(at.names('a')[0]).toBe('x'.repeat(48))
    expect(at.names('a')[1]).toMatch(/^git__y{34}_[0-9a-f]{8}$/)
  })

  it('are assigned to neither of two tools if their cut forms collide', () => {
    // Found by search: the first eight digits of their hashes are equal, and they differ only beyond the cut.
    const twins = ['0000001oj8', '00000026r1'].map((end) => `${'x'.repeat(48)}${end}`)
    const at = harness({}, [listedServer('s', [...twins, 'fine'])])
    expect(at.names('a')).toEqual(['s__fine'])
  })
})

describe('C3: the tool limit of an agent', () => {
  it('holds under concurrent changes, and the excess is counted', () => {
    const at = harness({ toolCap: 128 })
    const names = Array.from({ length: 50 }, (_, index) => `t${String(index)}`)
    for (let count = 1; count <= 20; count += 1) {
      at.serve(...Array.from({ length: count }, (_, index) => listedServer(`s${index}`, names)))
      const { callable, definitions, overCap } = at.listings.of('a')
      expect(callable).toHaveLength(Math.min(128, 50 * count))
      expect(definitions).toHaveLength(callable.length)
      expect(overCap).toBe(50 * count - callable.length)
    }
  })

  it("doesn't count tools that search mode can find", () => {
    const at = harness({ toolCap: 1, searchMode: true })
    expect(at.names('a')).toEqual(['find_tools', 'call_tool'])
    const { callable, overCap, definitions } = at.listings.of('a')
    expect([callable.length, overCap]).toEqual([5, 0])
    expect(definitions[0]?.description).toContain('Server git, Server files')
  })
})

describe('C5: a listing', () => {
  it('is the same object until a part changes, and agents with equal profiles share it', () => {
    const at = harness()
    at.agent('b', { confirm: 'always', keepsArguments: true })
    at.agent('c', { toolCap: 3 })
    const [a, b, c] = ['a', 'b', 'c'].map((id) => at.listings.of(id))
    expect(a).toBe(b)
    expect(c).not.toBe(a)
    expect(c?.definitions[0]).toBe(a?.definitions[0])
    at.agent('a', { confirm: 'destructive' })
    expect(at.listings.of('a')).toBe(a)
    // A server that no agent sees changes the directory, but no list.
    at.serve(...structuredClone([GIT, FILES]), listedServer('off', ['x'], { isEnabled: false }))
    expect(at.listings.of('a').definitions).toBe(a?.definitions)
    // If only prompts changed, the other lists and their serialized text stay the same objects.
    const written = (): unknown => listPage('tools/list', at.listings.of('a'), undefined, FOR)
    const before = written()
    at.offer('git', { prompts: [{ name: 'review' }] })
    const now = at.listings.of('a')
    expect(now.prompts).toHaveLength(1)
    expect(now.definitions).toBe(a?.definitions)
    expect(now.resources).toBe(a?.resources)
    expect(written()).toBe(before)
    expect(() => listPage('tools/list', now, 'x', FOR)).toThrow('Invalid cursor')
  })
})

describe("C2: an agent's resources and prompts", () => {
  it('come from its exposed servers, with a separate address for each that lists the same URI', () => {
    const at = harness()
    const a = { uri: 'file:///a', name: 'a' }
    at.offer('git', { resources: [a], prompts: [{ name: 'go', title: 'Go', icons: [] }] })
    at.offer('files', {
      resources: [
        { ...a, name: 'other' },
        { uri: 'file:///b', name: 'b' },
      ],
      resourceTemplates: [{ uriTemplate: 'file:///{path}', name: 'any' }],
      prompts: [{ name: 'go' }, { name: 'bad', arguments: [{}] } as never],
    })
    const { resources, templates, prompts } = at.listings.of('a')
    expect(resources.map(({ resource: { uri, title } }) => [uri, title])).toEqual([
      ['patchbay://git/file%3A%2F%2F%2Fa', 'a (Server git)'],
      ['patchbay://files/file%3A%2F%2F%2Fa', 'other (Server files)'],
      ['file:///b', undefined],
    ])
    expect(templates.map(({ installationId }) => installationId)).toEqual(['files'])
    expect(prompts.map(({ definition }) => definition)).toEqual([
      { name: 'git__go', title: 'Go', icons: [] },
      { name: 'files__go' },
    ])
    const hidden = 'files: Hidden from agents: the prompt bad ("arguments.0.name" is invalid'
    at.listings.preview('a', AgentProfile.parse({}))
    expect(at.leftOut).toEqual([expect.stringContaining(hidden)])
    const list = [{ installationId: 'files', choice: { kind: 'none' as const } }]
    at.agent('a', { servers: { kind: 'list', list } })
    expect(at.listings.of('a')).toMatchObject({ resources: [], templates: [], prompts: [] })
  })
})

describe('C4: plain names', () => {
  const long = 'x'.repeat(65)
  const offer = (one: string): NamedOffer => {
    const [installationId = '', ownName = ''] = one.split(' ')
    return { installationId, ownName, prefixedName: `${installationId}__${ownName}` }
  }
  const plain = (offers: readonly NamedOffer[]): string[] => agentNames(offers, 'plain', new Map())

  it.each([
    ['if no other item has them', ['a read', 'b write'], ['read', 'write']],
    ['unless two items have the same name', ['a read', 'b read'], ['a__read', 'b__read']],
    ['unless they differ in case only', ['a read', 'b Read'], ['a__read', 'b__Read']],
    ['unless another item has this prefixed name', ['a b__read', 'b read'], ['a__b__read', 'read']],
    ['unless models reject them', ['a read.all', `a ${long}`], ['a__read.all', `a__${long}`]],
  ])('are used %s', (_, offers, names) => {
    expect(plain(offers.map(offer))).toEqual(names)
  })

  it('are unique regardless of case and order', () => {
    const name = fc.constantFrom('read', 'Read', 'write', 'a__read', 'b__write', 'list', 'x.y')
    const one = fc.tuple(fc.constantFrom('a', 'b', 'c'), name).map((parts) => parts.join(' '))
    const offers = fc.uniqueArray(one, { minLength: 1 })
    const shuffled = (all: readonly string[]): fc.Arbitrary<string[]> =>
      fc.shuffledSubarray([...all], { minLength: all.length })
    const orders = offers.chain((all) => fc.tuple(fc.constant(all), shuffled(all)))
    fc.assert(
      fc.property(orders, ([all, order]) => {
        const names = plain(all.map(offer))
        // Prefixed names may differ in case only; that is up to the server.
        const folded = names.map((one) => one.toLowerCase())
        for (const [index, one] of names.entries())
          if (one === offer(all[index] ?? '').ownName)
            expect(folded.filter((other) => other === one.toLowerCase())).toHaveLength(1)
        const again = plain(order.map(offer))
        expect(order.map((one) => names[all.indexOf(one)])).toEqual(again)
      }),
    )
  })

  it("never move from one server's tool to another's", () => {
    const first = listedServer('first', ['search'])
    const second = listedServer('second', ['search'])
    const at = harness({ naming: 'plain' }, [first])
    expect(at.names('a')).toEqual(['search'])
    at.serve(first, second)
    expect(at.names('a')).toEqual(['first__search', 'second__search'])
    expect(at.listings.of('a').sharedNames.get('search')).toEqual(at.names('a'))
    at.serve(second)
    expect(at.names('a')).toEqual(['second__search'])
    at.serve(first, listedServer('third', ['other']))
    expect(at.names('a')).toEqual(['search', 'other'])
    // This agent has never seen the name.
    at.serve(second)
    at.agent('b', { naming: 'plain' })
    expect([at.names('a'), at.names('b')]).toEqual([['second__search'], ['search']])
  })

  it('take hidden tools into account, and leave the two names of search mode alone', () => {
    const first = listedServer('first', ['search', 'find_tools', 'call_tool', 'other'])
    const second = listedServer('second', ['search'], { choice: { kind: 'none' } })
    const at = harness({ naming: 'plain', searchMode: true }, [first, second])
    const names = ['first__search', 'first__find_tools', 'first__call_tool', 'other']
    expect([...at.listings.of('a').byName.keys()]).toEqual(names)
  })

  it('apply to prompts, too', () => {
    const at = harness({ naming: 'plain' }, [listedServer('one', []), listedServer('two', [])])
    at.offer('one', { prompts: [{ name: 'review' }, { name: 'with space' }, { name: 'review' }] })
    at.offer('two', { prompts: [{ name: 'fix' }] })
    const names = (): string[] => at.listings.of('a').prompts.map((one) => one.exposedName)
    expect(names()).toEqual(['review', 'one__with space', 'fix'])
    at.offer('two', { prompts: [{ name: 'Review' }] })
    expect(names()).toEqual(['one__review', 'one__with space', 'two__Review'])
  })
})
