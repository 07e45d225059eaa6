import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { cpuMsOf } from '../../../../e2e/fixtures/cpu-time'
import { agreement, normalUri, routesOf } from './resource-route'

type Routes = Parameters<typeof routesOf>[0]

/** Each resource and template with its server before it. */
function listing(
  resources: readonly string[],
  templates: readonly string[],
  uiOwners: readonly (readonly [uri: string, servers: readonly string[]])[] = [],
): Routes {
  const split = (one: string): [string, string] => {
    const at = one.indexOf(' ')
    return [one.slice(0, at), one.slice(at + 1)]
  }
  return {
    resources: resources.map(split).map(([installationId, uri]) => {
      return { installationId, resource: { uri, name: '' } }
    }),
    templates: templates.map(split).map(([installationId, uriTemplate]) => {
      return { installationId, template: { uriTemplate, name: '' } }
    }),
    uiOwners: new Map(uiOwners),
  }
}

/** The only server that is asked for a URI. */
function serverOf(routes: Routes, uri: string): string | undefined {
  const [route, ...others] = routesOf(routes, uri)
  return others.length === 0 ? route?.installationId : undefined
}

describe('C2 the server that is asked for a resource', () => {
  const all = listing(
    ['one memo://a', 'two file:///fixed'],
    ['two file:///{path}', 'three file:///logs/{day}.txt', 'four db://{table}{?limit}'],
  )

  it.each([
    ['memo://a', 'one'],
    ['file:///fixed', 'two'],
    ['file:///any/where', 'two'],
    ['file:///logs/monday.txt', 'three'],
    ['file:///logs/monday.md', 'two'],
    ['db://users', 'four'],
    // Of nobody's list, but of one whose scheme it is.
    ['memo://b', 'one'],
    ['ftp://x', undefined],
    ['nothing', undefined],
  ])('%s is asked of %s', (uri, server) => {
    expect(serverOf(all, uri)).toBe(server)
  })

  it('is none where several have its scheme and none says more', () => {
    expect(serverOf(listing(['one memo://a', 'two memo://b'], []), 'memo://c')).toBeUndefined()
  })
})

describe('E5 the server that is asked for a ui:// resource', () => {
  const all = listing(
    ['one ui://two/named', 'one ui://both'],
    ['one ui://shared/{id}', 'two ui://shared/{id}', 'three ui://mine/{id}'],
    [
      ['ui://two/named', ['two']],
      ['ui://both', ['one', 'two']],
    ],
  )

  it.each([
    ['ui://two/named', 'two'],
    ['ui://both', undefined],
    ['ui://shared/1', undefined],
    ['ui://mine/1', 'three'],
  ])('%s is asked of %s', (uri, server) => {
    expect(serverOf(all, uri)).toBe(server)
  })

  it('is the only one that has such resources, also where only its tools name them', () => {
    const own = ['ui://one/a', ['one']] as const
    const named = listing(['one ui://one/a'], [], [own])
    expect(serverOf(named, 'ui://one/part')).toBe('one')
    const others = listing(['one ui://one/a'], [], [own, ['ui://two/a', ['two']]])
    expect(serverOf(others, 'ui://two/part')).toBeUndefined()
  })
})

describe('C2 a template', () => {
  it('takes every address that it stands for', () => {
    const value = fc.string({ maxLength: 4 })
    const literal = value.map((text) => text.replaceAll(/[{}]/g, ''))
    fc.assert(
      fc.property(fc.array(fc.tuple(literal, value)), literal, (parts, last) => {
        const template = parts.map(([text]) => `${text}{x}`).join('') + last
        const uri = parts.map(([text, own]) => `${text}${own}`).join('') + last
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
  ])('%s does not stand for %s', (template, uri) => {
    expect(agreement(template, uri)).toBeUndefined()
  })

  it('takes no time, whatever it is made for', () => {
    const took = cpuMsOf(() => {
      expect(agreement('{+a}'.repeat(10_000) + '!', 'a'.repeat(100_000))).toBeUndefined()
      expect(agreement('{'.repeat(100_000), 'a')).toBeUndefined()
    })
    expect(took).toBeLessThan(2_000)
  })
})

describe('F5 a resource that several servers have', () => {
  it('has a route to each, and to the server that named it last alone', () => {
    const all = listing([], ['one file:///{path}', 'two file:///{path}'])
    const uri = 'file:///a'
    const routes = ['one', 'two'].map((installationId) => ({ installationId, uri }))
    expect(routesOf(all, uri)).toEqual(routes)
    expect(routesOf(all, uri, 'two')).toEqual(routes.slice(1))
    expect(routesOf(all, uri, 'three')).toEqual(routes)
  })
})

describe('F5 spellings of one address', () => {
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
  ])('%s is read at %s, in the spelling that it lists', (uri, installationId, sent) => {
    expect(routesOf(all, uri)).toEqual([{ installationId, uri: sent }])
  })

  it('keeps apart what is escaped because it would separate parts', () => {
    expect(normalUri('a://x%2Fy')).not.toBe(normalUri('a://x/y'))
    expect(normalUri('a://100%')).toBe(normalUri('a://100%'))
  })
})
