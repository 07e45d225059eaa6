import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { AgentDesk } from '../../../../e2e/fixtures/agent-desk'
import { listedServer } from '../../../../e2e/fixtures/judged-servers'
import { agentNames, type NamedOffer } from './build-listing'

function offer(one: string): NamedOffer {
  const [installationId = '', ownName = ''] = one.split(' ')
  return { installationId, ownName, prefixedName: `${installationId}__${ownName}` }
}

function plain(offers: readonly NamedOffer[]): string[] {
  return agentNames(offers, 'plain', new Map())
}

describe('C4 plain names', () => {
  const long = 'x'.repeat(65)

  it.each([
    ['where nothing else has them', ['a read', 'b write'], ['read', 'write']],
    ['not where two have the same', ['a read', 'b read'], ['a__read', 'b__read']],
    ['nor where they differ in case alone', ['a read', 'b Read'], ['a__read', 'b__Read']],
    ['nor where another is called so by default', ['a b__read', 'b read'], ['a__b__read', 'read']],
    ['nor where no model takes them', ['a read.all', `a ${long}`], ['a__read.all', `a__${long}`]],
  ])('are there %s', (_, offers, names) => {
    expect(plain(offers.map(offer))).toEqual(names)
  })

  it('are unique whatever their case, and the same whatever their order', () => {
    const name = fc.constantFrom('read', 'Read', 'write', 'a__read', 'b__write', 'list', 'x.y')
    const offers = fc.uniqueArray(fc.record({ server: fc.constantFrom('a', 'b', 'c'), name }), {
      selector: (one) => `${one.server} ${one.name}`,
      minLength: 1,
    })
    fc.assert(
      fc.property(offers, fc.array(fc.nat(), { minLength: 21, maxLength: 21 }), (all, keys) => {
        const given = all.map((one) => offer(`${one.server} ${one.name}`))
        const names = plain(given)
        // What is called by default may differ from another one in case alone, which is its server's doing.
        const folded = names.map((one) => one.toLowerCase())
        for (const [index, one] of names.entries())
          if (one === given[index]?.ownName)
            expect(folded.filter((other) => other === one.toLowerCase())).toHaveLength(1)
        const order = given
          .map((one, index) => ({ one, key: keys[index] ?? 0 }))
          .toSorted((x, y) => x.key - y.key)
        const again = plain(order.map(({ one }) => one))
        for (const [index, { one }] of order.entries())
          expect(again[index]).toBe(names[given.indexOf(one)])
      }),
    )
  })

  it('never pass from the tool of one server to that of another', () => {
    const at = new AgentDesk()
    at.agent('a', { naming: 'plain' })
    const first = listedServer('first', ['search'])
    const second = listedServer('second', ['search'])
    at.serve(first)
    expect(at.names('a')).toEqual(['search'])
    at.serve(first, second)
    expect(at.names('a')).toEqual(['first__search', 'second__search'])
    expect(at.listings.of('a').sharedNames.get('search')).toEqual(at.names('a'))
    at.serve(second)
    expect(at.names('a')).toEqual(['second__search'])
    at.serve(first, listedServer('third', ['other']))
    expect(at.names('a')).toEqual(['search', 'other'])
    // Another agent has never known it.
    at.serve(second)
    at.agent('b', { naming: 'plain' })
    expect([at.names('a'), at.names('b')]).toEqual([['second__search'], ['search']])
  })

  it('count tools that are not shown, and leave the two names of the search mode alone', () => {
    const at = new AgentDesk()
    at.agent('a', { naming: 'plain', searchMode: true })
    const first = listedServer('first', ['search', 'find_tools', 'call_tool', 'other'])
    at.serve(first, listedServer('second', ['search'], { choice: { kind: 'none' } }))
    const names = ['first__search', 'first__find_tools', 'first__call_tool', 'other']
    expect([...at.listings.of('a').byName.keys()]).toEqual(names)
  })

  it('are given to prompts alike', () => {
    const at = new AgentDesk()
    at.agent('a', { naming: 'plain' })
    at.serve(listedServer('one', []), listedServer('two', []))
    at.offer('one', { prompts: [{ name: 'review' }, { name: 'with space' }, { name: 'review' }] })
    at.offer('two', { prompts: [{ name: 'fix' }] })
    const names = (): string[] => at.listings.of('a').prompts.map((one) => one.exposedName)
    expect(names()).toEqual(['review', 'one__with space', 'fix'])
    at.offer('two', { prompts: [{ name: 'Review' }] })
    expect(names()).toEqual(['one__review', 'one__with space', 'two__Review'])
  })
})
