import { expect, it } from 'vitest'

import { noticeSummary, noticeWord } from './notice-words'

const aside = { code: 'wrong-type' } as const
const asked = { code: 'implied-variable' } as const

it.each([
  [[aside], '1 thing in its metadata was set aside'],
  [[aside, aside], '2 things in its metadata were set aside'],
  [[asked], '1 thing that its metadata does not declare is asked for'],
  [
    [asked, asked, aside],
    '1 thing in its metadata was set aside; 2 things that its metadata does not declare are asked for',
  ],
])('%j: %s', (notices, words) => {
  expect(noticeSummary(notices)).toBe(words)
})

it('a brace that the form asks for is not called set aside', () => {
  expect([aside, asked].map(noticeWord)).toEqual(['set aside', 'asked for'])
})
