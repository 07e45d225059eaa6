import { expect, it } from 'vitest'

import { largestParts, partsText } from './tool-meter'

it('names the servers with the most tools and sums up the others', () => {
  const part = (name: string, count: number) => ({ name, count })
  const own = [part('A', 3), part('B', 22), part('C', 14), part('D', 5), part('E', 0)]
  expect(partsText(largestParts(own, 2), 10_400)).toBe(
    'B 22, C 14, others 8. About 10,400 tokens in every conversation.',
  )
  expect(partsText(largestParts(own, 3), undefined)).toBe('B 22, C 14, D 5, A 3. Counting tokens.')
})
