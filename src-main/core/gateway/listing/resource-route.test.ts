import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { cpuMsOf } from '../../../../e2e/fixtures/cpu-time'
import { listedServer, listedTool } from '../../../../e2e/fixtures/directory-servers'
import { ListingsHarness } from '../../../../e2e/fixtures/listings-harness'
import { agreement, normalUri, routesOf } from './resource-route'

type Routes = Parameters<typeof routesOf>[0]

/** Lists each resource and template with its server in front. */
function listing(
  resources: readonly string[],
  templates: readonly string[],
  uiOwners: Readonly<Record<string, readonly string[]>> = {},
): Routes {
  const own = (one: string): { installationId: string; uri: string } => {
    const at = one.indexOf(' ')
    return { installationId: one.slice(0, at), uri: one.slice(at + 1) }
  }
  return {
    resources: resources.map(own).map(({ installationId, uri }) => {
      return { installationId, resource: { uri, name: '' } }
    }),
    templates: templates.map(own).map(({ installationId, uri }) => {
      return { installationId, template: { uriTemplate: uri, name: '' } }
    }),
    uiOwners: new Map(Object.entries(uiOwners)),
  }
}

/** Returns the servers that get a read of a URI. */
function serversOf(...asked: Parameters<typeof routesOf>): string[] {
  return routesOf(...asked).map(({ installationId }) => installationId)
}

describe('C2: the server of a resource', () => {
  const all = listing(
    ['one memo://a', 'two file:///fixed', 'one ui://two/named'],
    [
      ...['two file:///{path}', 'three file:///logs/{day}.txt', 'four db://{table}{?limit}'],
      ...['one ui://shared/{id}', 'two ui://sha{id}', 'three ui://mine/{id}'],
    ],
    { 'ui://two/named': ['two'], 'ui://both': ['one', 'two'] },
  )

  it.each([
    ['memo://a', ['one']],
    ['file:///fixed', ['two']],
    ['file:///any/where', ['two']],
    ['file:///logs/monday.txt', ['three']],
    ['file:///logs/monday.md', ['two']],
    ['db://users', ['four']],
    // Not listed by any server, but one server uses the scheme.
    ['memo://b', ['one']],
    ['ftp://x', []],
    ['nothing', []],
    ['ui://two/named', ['two']],
    ['ui://both', ['one', 'two']],
    // A page belongs to one server, however well a template matches.
    ['ui://shared/1', ['one', 'two']],
    ['ui://mine/1', ['three']],
  ])('for %s is %j', (uri, servers) => {
    expect(serversOf(all, uri)).toEqual(servers)
  })

  it('is unknown if several servers have the scheme and nothing else decides, even if only tools name it', () => {
    expect(serversOf(listing(['one memo://a', 'two memo://b'], []), 'memo://c')).toEqual([])
    const own = { 'ui://one/a': ['one'] }
    expect(serversOf(listing(['one ui://one/a'], [], own), 'ui://one/part')).toEqual(['one'])
    const others = { ...own, 'ui://two/a': ['two'] }
    expect(serversOf(listing(['one ui://one/a'], [], others), 'ui://two/part')).toEqual([])
  })

  it('is each server that lists it, or the one that last linked to it', () => {
    const both = listing([], ['one file:///{path}', 'two file:///{path}'])
    expect(serversOf(both, 'file:///a')).toEqual(['one', 'two'])
    expect(serversOf(both, 'file:///a', 'two')).toEqual(['two'])
    expect(serversOf(both, 'file:///a', 'three')).toEqual(['one', 'two'])
  })
})

describe('C2: a resource template', () => {
  it('matches every address that it describes', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '/', '.', '+'), maxLength: 4 })
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text)), text, (parts, last) => {
        const template = parts.map(([literal]) => `${literal}{x}`).join('') + last
        const uri = parts.map((both) => both.join('')).join('') + last
        expect(agreement(template, uri)).toBeDefined()
      }),
    )
  })

  it.each([
    ['file:///{a}/b', 'file:///x/c'],
    ['file:///{a}', 'http:///x'],
    ['file:///a', 'file:///b'],
    ['a{x}bcd', 'abc'],
    ['{a}x{b}', 'abc'],
  ])('%s does not match %s', (template, uri) => {
    expect(agreement(template, uri)).toBeUndefined()
  })

  it('matches in linear time, however it is built', () => {
    const took = cpuMsOf(() => {
      expect(agreement('{+a}'.repeat(10_000) + '!', 'a'.repeat(100_000))).toBeUndefined()
      expect(agreement('{'.repeat(100_000), 'a')).toBeUndefined()
    })
    expect(took).toBeLessThan(2_000)
  })
})

describe('F5: spellings of one address', () => {
  const all = listing(
    ['one file:///docs/café/a.txt', 'two FILE:///my%20files/b.txt'],
    ['one file:///docs/café/{path}', 'two file:///media/my files/{path}'],
  )

  it.each([
    ['file:///docs/caf%c3%a9/a.txt', 'one', 'file:///docs/café/a.txt'],
    ['file:///docs/cafe\u0301/a.txt', 'one', 'file:///docs/café/a.txt'],
    ['file:///my files/b.txt', 'two', 'FILE:///my%20files/b.txt'],
    ['file:///docs/caf%C3%A9/b.txt', 'one', 'file:///docs/caf%C3%A9/b.txt'],
    ['file:///media/my%20files/x/y.png?v=1', 'two', 'file:///media/my%20files/x/y.png?v=1'],
  ])('lead %s to %s, in the listed spelling', (uri, installationId, sent) => {
    expect(routesOf(all, uri)).toEqual([{ installationId, uri: sent }])
  })

  it('keep escapes of separators distinct', () => {
    expect(normalUri('a://x%2Fy')).not.toBe(normalUri('a://x/y'))
    expect(normalUri('a://100%')).toBe(normalUri('a://100%'))
  })
})

describe('E5: a ui:// resource that two servers list', () => {
  const URI = 'ui://b/widget'
  const MAIN = { ui: { resourceUri: URI } }
  const OLDER = { 'ui/resourceUri': URI }
  const A = { [`patchbay://a/${encodeURIComponent(URI)}`]: 'page of a' }
  const B = { [`patchbay://b/${encodeURIComponent(URI)}`]: 'page of b' }

  it.each<[string, Readonly<Record<string, object[]>>, object, string[]]>([
    ['the key of MCP Apps', { b: [MAIN] }, { ...A, [URI]: 'page of b' }, ['b']],
    ['both keys', { b: [MAIN, { ...MAIN, ...OLDER }] }, { ...A, [URI]: 'page of b' }, ['b']],
    ['the older key, of two servers', { a: [MAIN], b: [OLDER] }, { ...A, ...B }, ['a', 'b']],
    ['no tool', { a: [{ ui: { resourceUri: 5 } }], b: [{}] }, { ...A, ...B }, ['a', 'b']],
  ])('belongs to the server whose exposed tools name it: %s', (_, metas, listed, asked) => {
    const at = new ListingsHarness()
    const servers = ['a', 'b'].map((id) => {
      const tools = (metas[id] ?? []).map((_meta, index) => {
        const { tool, ...reviewed } = listedTool(`draw_${String(index)}`)
        return { ...reviewed, tool: { ...tool, _meta } }
      })
      return listedServer(id, [], { tools })
    })
    at.serve(...servers)
    for (const id of ['a', 'b']) at.offer(id, { resources: [{ uri: URI, name: `page of ${id}` }] })
    const shows = (pages: object, owners: readonly string[]): void => {
      const now = at.listings.of('x')
      const names = now.resources.map(({ resource }) => [resource.uri, resource.name])
      expect(Object.fromEntries(names)).toEqual(pages)
      expect(serversOf(now, URI)).toEqual(owners)
    }
    at.agent('x')
    shows(listed, asked)
    // Tools of the other server don't count once it is hidden.
    const list = [{ installationId: 'b', choice: { kind: 'all' as const } }]
    at.agent('x', { servers: { kind: 'list', list } })
    shows({ [URI]: 'page of b' }, ['b'])
  })
})
