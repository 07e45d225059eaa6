import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'

import { type FilterChoices, NO_CHOICES } from '../filters/catalog-view-store'
import { NothingFound } from '../results-header'

function textOf(text: string, choices: Partial<FilterChoices> = {}): string {
  const props = { text, choices: { ...NO_CHOICES, ...choices }, onClear: () => undefined }
  return renderToStaticMarkup(createElement(NothingFound, props)).replaceAll(/<[^>]*>/gu, '|')
}

describe('D2: empty list', () => {
  it.each<[string, string, Partial<FilterChoices>, RegExp]>([
    ['that a search has no results', ' a ', {}, /No results for “a”\|+Try a shorter search\.\|+$/u],
    [
      'that the catalog is empty',
      '',
      {},
      /No servers\|+Sync a registry to see servers here\.\|+$/u,
    ],
    [
      'that the filters hide everything',
      'a',
      { runsHere: true },
      /The filters hide all servers\.\|+Clear filters/u,
    ],
    [
      'how to add a favorite',
      '',
      { mine: 'favorites' },
      /No servers\|+Star a server .* favorites\.\|+Clear filters/u,
    ],
    [
      'that no server was viewed',
      '',
      { mine: 'viewed' },
      /Servers you view appear here\.\|+Clear filters/u,
    ],
  ])('explains %s', (_what, text, choices, words) => {
    expect(textOf(text, choices)).toMatch(words)
  })
})
