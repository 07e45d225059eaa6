import { expect, it } from 'vitest'

import { noticeSummary, noticeWord } from './notice-list'

const aside = { code: 'wrong-type' } as const
const asked = { code: 'implied-variable' } as const

it.each([
  [[aside], '1 metadata entry ignored'],
  [[aside, aside], '2 metadata entries ignored'],
  [[asked], '1 undeclared setting'],
  [[asked, asked, aside], '1 metadata entry ignored, 2 undeclared settings'],
])('%j: %s', (notices, words) => {
  expect(noticeSummary(notices)).toBe(words)
})

it('a brace that the form asks for is not called set aside', () => {
  expect([aside, asked].map(noticeWord)).toEqual(['ignored', 'undeclared'])
})
