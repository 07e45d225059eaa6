import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'

import { Highlight } from './server-grid'

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
