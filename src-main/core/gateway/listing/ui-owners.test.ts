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
  /** What is listed with the name of its server's page, and which servers are asked for the URI. */
  const shown = (at: AgentDesk): [Record<string, string>, string[]] => {
    const listing = at.listings.of('x')
    const listed = listing.resources.map(({ resource }) => [resource.uri, resource.name])
    const asked = routesOf(listing, URI).map(({ installationId }) => installationId)
    return [Object.fromEntries(listed) as Record<string, string>, asked]
  }
  const addressOf = (id: string): string => `patchbay://${id}/${encodeURIComponent(URI)}`
  const ADDRESSED = { [addressOf('a')]: 'page of a', [addressOf('b')]: 'page of b' }
  const OF_B = { [addressOf('a')]: 'page of a', [URI]: 'page of b' }

  it.each([
    ['the key of MCP Apps', [MAIN]],
    ['the older key', [OLDER]],
    ['both, in several tools', [MAIN, { ...MAIN, ...OLDER }]],
  ])('is that of the server whose tools name it, whoever lists it first: %s', (_, metas) => {
    expect(shown(claimed({ b: metas }))).toEqual([OF_B, ['b']])
  })

  it('is asked of the server whose tools name it, also where only another lists it', () => {
    const at = claimed({ b: [MAIN] })
    at.offer('b', { resources: [] })
    expect(shown(at)).toEqual([{ [addressOf('a')]: 'page of a' }, ['b']])
  })

  it.each([
    ['the tools of both', { a: [MAIN], b: [OLDER] }],
    ['no tool', { a: [{ ui: { resourceUri: 5 } }], b: [{}] }],
  ])('has an address at each server, and is ambiguous, where %s names it', (_, metas) => {
    expect(shown(claimed(metas))).toEqual([ADDRESSED, ['a', 'b']])
  })

  it('is asked of the server whose tools the agent is shown, and of no other', () => {
    const at = claimed({ a: [MAIN], b: [MAIN] })
    const draw = { kind: 'list' as const, names: ['draw_0'] }
    const list = [
      { installationId: 'a', choice: { kind: 'list' as const, names: [] } },
      { installationId: 'b', choice: draw },
    ]
    at.agent('x', { servers: { kind: 'list', list } })
    expect(shown(at)).toEqual([OF_B, ['b']])
  })

  it('is that of the only server that lists it', () => {
    const at = claimed({})
    at.offer('a', { resources: [] })
    expect(shown(at)).toEqual([{ [URI]: 'page of b' }, ['b']])
  })
})
