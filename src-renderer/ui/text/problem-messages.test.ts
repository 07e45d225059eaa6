import { expect, it } from 'vitest'

import { problemWords } from './format'

it('states the problem, and what to do if known', () => {
  const message = 'No answer came.'
  expect(problemWords({ message, hint: 'Try again.' })).toBe('No answer came. Try again.')
  for (const hint of [undefined, '']) expect(problemWords({ message, hint })).toBe(message)
})
