import { describe, expect, it } from 'vitest'

import { moveEntry, pasteEntries, splitPasted } from './list-editing'

describe('A4 several values', () => {
  it('splits pasted text at commas and line ends and ignores empty segments', () => {
    expect(splitPasted('a, b,,c\r\n\nd e')).toEqual(['a', 'b', 'c', 'd e'])
  })

  it('keeps JSON whole', () => {
    expect(splitPasted('{"a": 1,\n"b": 2}')).toEqual(['{"a": 1,\n"b": 2}'])
  })

  it('keeps a single value whole', () => {
    expect(splitPasted(' /home/mara/meeting notes ')).toEqual(['/home/mara/meeting notes'])
  })

  it('puts pasted entries into an empty entry and behind a filled one', () => {
    expect(pasteEntries(['x', ''], 1, 'a,b')).toEqual({ entries: ['x', 'a', 'b'], last: 2 })
    expect(pasteEntries(['x', 'y'], 0, 'a\nb')).toEqual({ entries: ['x', 'a', 'b', 'y'], last: 2 })
    expect(pasteEntries([''], 0, ' , ')).toEqual({ entries: [], last: 0 })
  })

  it('moves an entry inside the list and never out of it', () => {
    expect(moveEntry(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a'])
    expect(moveEntry(['a', 'b', 'c'], 0, -1)).toEqual(['a', 'b', 'c'])
    expect(moveEntry(['a', 'b'], 1, 2)).toEqual(['a', 'b'])
  })
})
