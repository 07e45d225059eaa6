import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { cpuMsOf } from '../../../../e2e/fixtures/cpu-time'
import { agreement, serverOfResource } from './resource-route'

function listing(
  resources: readonly [server: string, uri: string][],
  templates: readonly [server: string, uriTemplate: string][],
  uiOwners: readonly [uri: string, server: string | undefined][] = [],
): Parameters<typeof serverOfResource>[0] {
  return {
    resources: resources.map(([installationId, uri]) => ({
      installationId,
      resource: { uri, name: '' },
    })),
    templates: templates.map(([installationId, uriTemplate]) => {
      return { installationId, template: { uriTemplate, name: '' } }
    }),
    uiOwners: new Map(uiOwners),
  }
}

describe('C2 the server that is asked for a resource', () => {
  const all = listing(
    [
      ['one', 'memo://a'],
      ['two', 'file:///fixed'],
    ],
    [
      ['two', 'file:///{path}'],
      ['three', 'file:///logs/{day}.txt'],
      ['four', 'db://{table}{?limit}'],
    ],
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
    expect(serverOfResource(all, uri)).toBe(server)
  })

  it('is none where several have its scheme and none says more', () => {
    expect(
      serverOfResource(
        listing(
          [
            ['one', 'memo://a'],
            ['two', 'memo://b'],
          ],
          [],
        ),
        'memo://c',
      ),
    ).toBeUndefined()
  })
})

describe('E5 the server that is asked for a ui:// resource', () => {
  const all = listing(
    [
      ['one', 'ui://two/named'],
      ['one', 'ui://both'],
    ],
    [
      ['one', 'ui://shared/{id}'],
      ['two', 'ui://shared/{id}'],
      ['three', 'ui://mine/{id}'],
    ],
    [
      ['ui://two/named', 'two'],
      ['ui://both', undefined],
    ],
  )

  it.each([
    ['ui://two/named', 'two'],
    ['ui://both', undefined],
    ['ui://shared/1', undefined],
    ['ui://mine/1', 'three'],
  ])('%s is asked of %s', (uri, server) => {
    expect(serverOfResource(all, uri)).toBe(server)
  })

  it('is the only one that has such resources, also where only its tools name them', () => {
    const named = listing([['one', 'ui://one/a']], [], [['ui://one/a', 'one']])
    expect(serverOfResource(named, 'ui://one/part')).toBe('one')
    const others = listing(
      [['one', 'ui://one/a']],
      [],
      [
        ['ui://one/a', 'one'],
        ['ui://two/a', 'two'],
      ],
    )
    expect(serverOfResource(others, 'ui://two/part')).toBeUndefined()
  })
})

describe('C2 a template', () => {
  it('takes every address that it stands for', () => {
    const literal = fc.string({ maxLength: 4 }).map((text) => text.replaceAll(/[{}]/g, ''))
    fc.assert(
      fc.property(
        fc.array(fc.tuple(literal, fc.string({ maxLength: 4 }))),
        literal,
        (parts, last) => {
          const template = parts.map(([text]) => `${text}{x}`).join('') + last
          const uri = parts.map(([text, value]) => `${text}${value}`).join('') + last
          expect(agreement(template, uri)).toBeDefined()
        },
      ),
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
