import { describe, expect, it } from 'vitest'

import { isTooDeep, jsonBytes } from './measure-json'

describe('C1 the nesting of parsed JSON', () => {
  it('is too deep above the limit, also a hundred thousand levels deep, of arrays and of objects', () => {
    let lists: unknown = 'end'
    let objects: unknown = 'end'
    for (let depth = 0; depth < 100_000; depth += 1) {
      lists = [lists]
      objects = { items: objects }
    }
    expect([isTooDeep(lists), isTooDeep(objects)]).toEqual([true, true])
    expect([isTooDeep([[['leaf']]], 3), isTooDeep([[['leaf']]], 2)]).toEqual([false, true])
  })

  it('leaves members out that are undefined', () => {
    expect(jsonBytes({ name: 'ä', title: undefined })).toBe(13)
  })
})
