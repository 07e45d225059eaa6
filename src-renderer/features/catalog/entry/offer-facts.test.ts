import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'

import type { CatalogEntry } from '../../../../src-shared/domain/catalog/catalog-entry'
import { OfferFacts } from '../entry-detail'
import { noticeLabel, NoticeList, noticeSummary } from './notice-list'

/** Renders the facts of an entry without an offer. */
function drawn(server: Partial<CatalogEntry['server']>): string {
  const entry: CatalogEntry = {
    entryId: 'x',
    source: 'registry',
    server: { name: 'a/b', description: '', version: '1', packages: [], remotes: [], ...server },
    status: 'active',
    notices: [],
  }
  return renderToStaticMarkup(createElement(OfferFacts, { entry, view: undefined }))
}

describe('D2: facts of an entry', () => {
  it('link https addresses only', () => {
    const links = (url: string) => drawn({ websiteUrl: url, repository: { url } })
    expect(links('https://a.example/b')).toMatch(/Source.*Website.*a\.example\/b/u)
    for (const bad of ['http://evil.example', 'javascript:alert(1)'])
      expect(links(bad)).not.toMatch(/Source|Website|evil/u)
  })

  it('escape characters that reverse or hide a text, even in ignored metadata', () => {
    expect(drawn({ version: '1\u202e0' })).toContain('1&lt;U+202E&gt;0')
    const notices = [{ path: 'a\u202eb', code: 'wrong-type', message: 'Is c\u202ed.' } as const]
    const list = renderToStaticMarkup(createElement(NoticeList, { notices }))
    expect(list).toContain('<code>a&lt;U+202E&gt;b</code>: Is c&lt;U+202E&gt;d.')
  })
})

const aside = { code: 'wrong-type' } as const
const request = { code: 'implied-variable' } as const

it.each([
  [[aside], '1 metadata entry ignored'],
  [[aside, aside], '2 metadata entries ignored'],
  [[request], '1 undeclared setting'],
  [[request, request, aside], '1 metadata entry ignored, 2 undeclared settings'],
])('notices %j are summarized as: %s', (notices, words) => {
  expect(noticeSummary(notices)).toBe(words)
})

it('a placeholder that becomes a form field is not called ignored', () => {
  expect([aside, request].map(noticeLabel)).toEqual(['ignored', 'undeclared'])
})
