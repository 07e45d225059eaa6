import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'

import { type FilterChoices, NO_CHOICES } from '../filters/filter-choices'
import { NothingFound } from './nothing-found'

function textOf(text: string, choices: Partial<FilterChoices> = {}): string {
  const props = { text, choices: { ...NO_CHOICES, ...choices }, onClear: () => undefined }
  return renderToStaticMarkup(createElement(NothingFound, props)).replaceAll(/<[^>]*>/gu, '|')
}

describe('D2 a list without servers', () => {
  it.each<[string, string, Partial<FilterChoices>, RegExp]>([
    ['what was searched', ' a ', {}, /No server matches “a”\|+Shorter words find more\.\|+$/u],
    ['that there is nothing at all', '', {}, /Nothing here\|+The catalog is empty\.\|+$/u],
    [
      'that the filters leave nothing',
      'a',
      { runsHere: true },
      /The filters leave nothing\.\|+Clear the filters/u,
    ],
    [
      'how a server becomes a favourite',
      '',
      { mine: 'favourites' },
      /Nothing here\|+The star .* makes it a favourite\.\|+Clear the filters/u,
    ],
    [
      'that nothing was looked at',
      '',
      { mine: 'viewed' },
      /once they were looked at\.\|+Clear the filters/u,
    ],
  ])('says %s', (_what, text, choices, words) => {
    expect(textOf(text, choices)).toMatch(words)
  })
})
