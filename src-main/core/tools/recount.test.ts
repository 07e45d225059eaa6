import { expect, it, vi } from 'vitest'

import { pause } from '../../../e2e/fixtures/pause'
import { Recount } from './tools'

it('tries again what was not whole, as often as there are waits, and again after it was whole', async () => {
  const again = vi.fn()
  using recount = new Recount(again, [1, 1])
  recount.after({ isWhole: false })
  await expect.poll(() => again.mock.calls.length).toBe(1)
  recount.after({ isWhole: false })
  await expect.poll(() => again.mock.calls.length).toBe(2)
  recount.after({ isWhole: false })
  recount.after({ isWhole: true })
  recount.after({ isWhole: false })
  await expect.poll(() => again.mock.calls.length).toBe(3)
})

it('tries nothing once it is disposed of', async () => {
  const again = vi.fn()
  const recount = new Recount(again, [0])
  recount.after({ isWhole: false })
  recount[Symbol.dispose]()
  recount.after({ isWhole: false })
  await pause(20)
  expect(again).not.toHaveBeenCalled()
})
