import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'

import type { ListedServer } from '../../../../src-shared/domain/catalog/catalog-query'
import { Highlight, layoutGrid, ServerCard } from './server-grid'

const PLAIN: ListedServer = {
  sourceId: 'official',
  name: 'com.stripe/pay',
  description: '',
  publisher: 'stripe.com',
  namespace: 'domain',
  isVerified: false,
  version: '1.0.0',
  status: 'active',
  kinds: [],
  asksForSecrets: false,
}

/** The badges of a card, in their order. */
function badgesOf(change: Partial<ListedServer>, isInstalled = false): string[] {
  const html = renderToStaticMarkup(
    createElement(ServerCard, {
      ...{ server: { ...PLAIN, ...change }, index: 0, total: 1, top: 0, query: '' },
      layout: layoutGrid(480, 16),
      ...{ isSelected: false, isStop: false, isInstalled },
      ...{ onSelect: () => undefined, onOpen: () => undefined },
    }),
  )
  const tags = html.slice(html.indexOf('class="tags'))
  return tags.split(/<[^>]*>/u).filter((text) => text !== '' && !text.startsWith('class='))
}

describe('D2 a card', () => {
  it('names the publisher and the day of the last change', () => {
    const html = renderToStaticMarkup(
      createElement(ServerCard, {
        ...{ server: { ...PLAIN, updatedAt: Date.UTC(2026, 10, 3, 12) }, index: 0, total: 1 },
        ...{ top: 0, query: '', layout: layoutGrid(480, 16) },
        ...{ isSelected: false, isStop: false, isInstalled: false },
        ...{ onSelect: () => undefined, onOpen: () => undefined },
      }),
    )
    expect(html).toContain('>stripe.com</p>')
    expect(html).toMatch(/<time[^>]*dateTime="2026-11-03T12:00:00.000Z"[^>]*>Nov 3, 2026</u)
  })
})

describe('D2 the badges of a card', () => {
  it.each<[string, Partial<ListedServer>, string[]]>([
    ['nothing of what is nothing special', {}, []],
    ['its kind', { kinds: ['pypi'] }, ['PyPI']],
    [
      'the first of its kinds, and how many more there are',
      { kinds: ['npm', 'remote', 'bundle'] },
      ['npm +2'],
    ],
    ['that it is deprecated', { status: 'deprecated' }, ['Deprecated']],
    ['that the domain of its publisher was checked', { isVerified: true }, ['Verified']],
    [
      'nothing of an account, which anybody can have',
      { isVerified: true, namespace: 'github' },
      [],
    ],
    ['that it asks for secrets', { asksForSecrets: true }, ['Secrets']],
    ['that it was pasted', { sourceId: 'pasted' }, ['Pasted']],
  ])('tell %s', (_what, change, badges) => {
    expect(badgesOf(change)).toEqual(badges)
  })

  it('are three at most, what matters most first', () => {
    const all = { kinds: ['npm' as const], isVerified: true, asksForSecrets: true }
    expect(badgesOf(all)).toEqual(['npm', 'Verified', 'Secrets'])
    expect(badgesOf({ ...all, status: 'deprecated' }, true)).toEqual([
      'npm',
      'Deprecated',
      'Installed',
    ])
  })
})

function drawn(text: string, query: string): string {
  return renderToStaticMarkup(createElement(Highlight, { text, query }))
}

describe('D2 marked words', () => {
  it('are those of the query, in any case, and nothing else changes', () => {
    expect(drawn('Pay by <Card> or pay.', 'pay card')).toBe(
      '<mark>Pay</mark> by &lt;<mark>Card</mark>&gt; or <mark>pay</mark>.',
    )
    expect(drawn('Pay', ' ')).toBe('Pay')
    expect(drawn('a.b', '.')).toBe('a<mark>.</mark>b')
  })

  it('are twenty at most, and the text goes on to its end', () => {
    const text = `${'a b '.repeat(30)}the end`
    const html = drawn(text, 'a')
    expect(html.match(/<mark>/g)).toHaveLength(20)
    expect(html.replaceAll(/<\/?mark>/g, '')).toBe(text)
  })
})

describe('D2 the grid of cards', () => {
  it('has as many columns as fit, at least one, and grows with the size of the text', () => {
    expect([200, 503, 504, 760].map((width) => layoutGrid(width, 16).columns)).toEqual([1, 1, 2, 3])
    expect(layoutGrid(760, 32).columns).toBe(1)
    expect(layoutGrid(300, 16).cardHeight).toBeLessThan(layoutGrid(600, 16).cardHeight)
  })
})
