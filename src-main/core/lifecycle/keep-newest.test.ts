import { expect, it } from 'vitest'

import { keepNewest } from './keep-newest'

it('drops the oldest entry, and makes a repeated one the newest', () => {
  const kept = new Map<string, number>()
  for (const [key, value] of [
    ['a', 1],
    ['b', 2],
    ['a', 3],
    ['c', 4],
  ] as const)
    keepNewest(kept, key, value, 2)
  expect([...kept]).toEqual([
    ['a', 3],
    ['c', 4],
  ])
})
