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

/** Returns the badges of a card, in order. */
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

describe('D2: server card', () => {
  it('shows the publisher and the date of the last change', () => {
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

describe('D2: badges of a card', () => {
  it.each<[string, Partial<ListedServer>, string[]]>([
    ['nothing for an ordinary server', {}, []],
    ['the type', { kinds: ['pypi'] }, ['PyPI']],
    ['the first type and the number of others', { kinds: ['npm', 'remote', 'bundle'] }, ['npm +2']],
    ['that a server is deprecated', { status: 'deprecated' }, ['Deprecated']],
    ['that the domain of the publisher is verified', { isVerified: true }, ['Verified']],
    [
      'nothing for a verified account, which anyone can create',
      { isVerified: true, namespace: 'github' },
      [],
    ],
    ['that a server needs secrets', { asksForSecrets: true }, ['Secrets']],
    ['that a server was pasted', { sourceId: 'pasted' }, ['Pasted']],
  ])('show %s', (_what, change, badges) => {
    expect(badgesOf(change)).toEqual(badges)
  })

  it('are at most three, most important first', () => {
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

describe('D2: highlighted search terms', () => {
  it('are marked in any case and leave the rest of the text unchanged', () => {
    expect(drawn('Pay by <Card> or pay.', 'pay card')).toBe(
      '<mark>Pay</mark> by &lt;<mark>Card</mark>&gt; or <mark>pay</mark>.',
    )
    expect(drawn('Pay', ' ')).toBe('Pay')
    expect(drawn('a.b', '.')).toBe('a<mark>.</mark>b')
  })

  it('are at most twenty, followed by the rest of the text', () => {
    const text = `${'a b '.repeat(30)}the end`
    const html = drawn(text, 'a')
    expect(html.match(/<mark>/g)).toHaveLength(20)
    expect(html.replaceAll(/<\/?mark>/g, '')).toBe(text)
  })
})

describe('D2: card grid', () => {
  it('has as many columns as fit, at least one, and scales with the text size', () => {
    expect([200, 503, 504, 760].map((width) => layoutGrid(width, 16).columns)).toEqual([1, 1, 2, 3])
    expect(layoutGrid(760, 32).columns).toBe(1)
    expect(layoutGrid(300, 16).cardHeight).toBeLessThan(layoutGrid(600, 16).cardHeight)
  })
})
