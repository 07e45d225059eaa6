import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { updateQueue } from './user-request-store'

type Queue = ReturnType<typeof updateQueue>
const EMPTY_QUEUE: Queue = { shown: undefined, aside: [] }

describe('Requests of servers: the shown request', () => {
  it('is the first to arrive if that interrupts nobody', () => {
    expect(updateQueue(EMPTY_QUEUE, ['a'], false).shown).toBeUndefined()
    expect(updateQueue(EMPTY_QUEUE, ['a'], true).shown).toBe('a')
  })

  it('stays while others arrive, and is followed by the oldest when it ends', () => {
    const queue = updateQueue({ shown: 'b', aside: [] }, ['a', 'b', 'c'], true)
    expect(queue.shown).toBe('b')
    // Even if the user is typing now: they type in this dialog.
    expect(updateQueue(queue, ['a', 'c'], false).shown).toBe('a')
  })

  it('is never a postponed one unless the user asks for it', () => {
    const left = { shown: undefined, aside: ['a', 'b'] }
    expect(updateQueue(left, ['a', 'b'], true).shown).toBeUndefined()
    expect(updateQueue(left, ['a', 'b', 'c'], true).shown).toBe('c')
  })

  it('is always still waiting, and so are the postponed ones', () => {
    const waiting = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'))
    const step = fc.oneof(
      fc.record({ ids: waiting, mayOpen: fc.boolean() }),
      fc.constantFrom('open' as const, 'later' as const),
    )
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        let queue = EMPTY_QUEUE
        let ids: readonly string[] = []
        for (const next of steps) {
          if (next === 'open') queue = { shown: ids[0], aside: [] }
          else if (next === 'later') queue = { shown: undefined, aside: ids }
          else {
            ids = next.ids
            queue = updateQueue(queue, ids, next.mayOpen)
          }
          const held = [...queue.aside, ...(queue.shown === undefined ? [] : [queue.shown])]
          expect(held.every((id) => ids.includes(id))).toBe(true)
          expect(new Set(held).size).toBe(held.length)
        }
      }),
    )
  })
})
