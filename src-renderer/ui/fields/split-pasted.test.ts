import { describe, expect, it } from 'vitest'

import { moveEntry, pasteEntries, splitPasted } from './list-editing'

describe('A4: several values', () => {
  it('are split from pasted text at commas and line ends, without empty ones', () => {
    expect(splitPasted('a, b,,c\r\n\nd e')).toEqual(['a', 'b', 'c', 'd e'])
  })

  it('do not split JSON', () => {
    expect(splitPasted('{"a": 1,\n"b": 2}')).toEqual(['{"a": 1,\n"b": 2}'])
  })

  it('do not split a single value', () => {
    expect(splitPasted(' /home/mara/meeting notes ')).toEqual(['/home/mara/meeting notes'])
  })

  it('replace an empty entry and follow a filled one', () => {
    expect(pasteEntries(['x', ''], 1, 'a,b')).toEqual({ entries: ['x', 'a', 'b'], last: 2 })
    expect(pasteEntries(['x', 'y'], 0, 'a\nb')).toEqual({ entries: ['x', 'a', 'b', 'y'], last: 2 })
    expect(pasteEntries([''], 0, ' , ')).toEqual({ entries: [], last: 0 })
  })

  it('move within the list only', () => {
    expect(moveEntry(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a'])
    expect(moveEntry(['a', 'b', 'c'], 0, -1)).toEqual(['a', 'b', 'c'])
    expect(moveEntry(['a', 'b'], 1, 2)).toEqual(['a', 'b'])
  })
})
