import { describe, expect, it } from 'vitest'

import { AgentDesk } from '../../../../e2e/fixtures/agent-desk'
import { listedServer, listedTool } from '../../../../e2e/fixtures/judged-servers'
import { routesOf } from './resource-route'

describe('E5 a ui:// resource', () => {
  const URI = 'ui://b/widget'
  const MAIN = { ui: { resourceUri: URI } }
  const OLDER = { 'ui/resourceUri': URI }
  const page = (server: string): object => ({ uri: URI, name: `page of ${server}` })

  /** Two servers that both list it; their tools have this for `_meta`. */
  function claimed(metas: Readonly<Record<string, readonly object[]>>): AgentDesk {
    const at = new AgentDesk()
    at.serve(
      ...['a', 'b'].map((id) => {
        const tools = (metas[id] ?? []).map((_meta, index) => {
          const { tool, ...judged } = listedTool(`draw_${String(index)}`)
          return { ...judged, tool: { ...tool, _meta } }
        })
        return listedServer(id, [], { tools })
      }),
    )
    for (const id of ['a', 'b']) at.offer(id, { resources: [page(id) as never] })
    at.agent('x')
    return at
  }
  const shown = (at: AgentDesk): [string, string | undefined][] => {
    const listing = at.listings.of('x')
    const owner = routesOf(listing, URI)[0]?.installationId
    return [
      ...listing.resources.map(({ installationId, resource }): [string, string] => [
        installationId,
        resource.name,
      ]),
      ['asked', owner],
    ]
  }
  const OF_B = [
    ['b', 'page of b'],
    ['asked', 'b'],
  ]

  it.each([
    ['the key of MCP Apps', [MAIN]],
    ['the older key', [OLDER]],
    ['both, in several tools', [MAIN, { ...MAIN, ...OLDER }]],
  ])('is that of the server whose tools name it, whoever lists it first: %s', (_, metas) => {
    const at = claimed({ b: metas })
    expect(shown(at)).toEqual(OF_B)
    expect(at.leftOut).toEqual([
      'a: Hidden from agents: ui://b/widget (tools of Server b use the same URI).',
    ])
  })

  it('is counted where there are more of them, in one sentence', () => {
    const at = claimed({ b: [MAIN, { ui: { resourceUri: 'ui://b/other' } }] })
    const both = [page('a'), { uri: 'ui://b/other', name: 'other' }, { uri: 'ui://a', name: 'own' }]
    at.offer('a', { resources: both as never })
    expect(shown(at)).toEqual([['a', 'own'], ...OF_B])
    expect(at.leftOut).toEqual([
      'a: Hidden from agents: ui://b/widget and 1 more of the server’s ui:// resources (tools of Server b use the same URI).',
    ])
  })

  it('is asked of the server whose tools name it, also where only another lists it', () => {
    const at = claimed({ b: [MAIN] })
    at.offer('b', { resources: [] })
    expect(shown(at)).toEqual([['asked', 'b']])
  })

  it.each([
    ['the tools of both', { a: [MAIN], b: [OLDER] }],
    ['no tool', { a: [{ ui: { resourceUri: 5 } }], b: [{}] }],
  ])('is nobody’s where %s names it, which each is told once', (_, metas) => {
    const at = claimed(metas)
    expect(shown(at)).toEqual([['asked', undefined]])
    at.offer('b', { resources: [page('b') as never], prompts: [{ name: 'other' }] })
    expect(shown(at)).toEqual([['asked', undefined]])
    const why = 'other servers use the same URI, and no tool identifies the owner'
    expect(at.leftOut).toEqual(
      ['a', 'b'].map((id) => `${id}: Hidden from agents: ui://b/widget (${why}).`),
    )
  })

  it('is asked of the server whose tools the agent is shown, and of no other', () => {
    const at = claimed({ a: [MAIN], b: [MAIN] })
    const draw = { kind: 'list' as const, names: ['draw_0'] }
    const list = [
      { installationId: 'a', choice: { kind: 'list' as const, names: [] } },
      { installationId: 'b', choice: draw },
    ]
    at.agent('x', { servers: { kind: 'list', list } })
    expect(shown(at)).toEqual(OF_B)
  })

  it('is that of the only server that lists it', () => {
    const at = claimed({})
    at.offer('a', { resources: [] })
    expect(shown(at)).toEqual(OF_B)
    expect(at.listings.of('x').leftOut).toEqual([])
  })
})
