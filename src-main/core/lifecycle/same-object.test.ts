import { describe, expect, it } from 'vitest'

import { madeOnce, sameWhereEqual } from './same-object'

describe('C5: object identity', () => {
  it('makes one value per object and kind', () => {
    const made: string[] = []
    const textOf = madeOnce((of: { name: string }, ...kind: string[]) => {
      made.push(`${of.name}${kind.join('')}`)
      return { of }
    })
    const [one, other] = [{ name: 'a' }, { name: 'a' }]
    expect(textOf(one)).toBe(textOf(one))
    expect(textOf(one, '!')).toBe(textOf(one, '!'))
    expect(textOf(one, '!')).not.toBe(textOf(one))
    expect(textOf(other)).not.toBe(textOf(one))
    expect(made).toEqual(['a', 'a!', 'a'])
  })

  it('keeps the whole object, or its equal parts', () => {
    const before = { list: [{ a: 1 }, { b: 2 }], name: 'x' }
    expect(sameWhereEqual(before, structuredClone(before))).toBe(before)
    const now = sameWhereEqual(before, { ...structuredClone(before), name: 'y' })
    expect([now.list, now.name]).toEqual([before.list, 'y'])
    expect(now.list).toBe(before.list)
    const list = sameWhereEqual(before.list, [{ a: 1 }, { b: 3 }, { c: 4 }] as typeof before.list)
    expect(list).toEqual([{ a: 1 }, { b: 3 }, { c: 4 }])
    expect(list[0]).toBe(before.list[0])
    expect(sameWhereEqual(before.list, [{ a: 1 }])).toEqual([{ a: 1 }])
    expect(sameWhereEqual(undefined, before)).toBe(before)
  })
})
