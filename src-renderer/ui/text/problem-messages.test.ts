import { expect, it } from 'vitest'

import { problemText } from './format'

it('states the problem, and what to do if known', () => {
  const message = 'No answer came.'
  expect(problemText({ message, hint: 'Try again.' })).toBe('No answer came. Try again.')
  for (const hint of [undefined, '']) expect(problemText({ message, hint })).toBe(message)
})
