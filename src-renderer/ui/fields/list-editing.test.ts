import type { KeyboardEvent } from 'react'
import { describe, expect, it, vi } from 'vitest'

import { listEditing } from './list-editing'

function edit(entries: string[]) {
  vi.stubGlobal('requestAnimationFrame', () => 0)
  const lists: string[][] = []
  const said: string[] = []
  const editing = listEditing(
    'id',
    entries,
    (next) => lists.push(next),
    (sentence) => said.push(sentence),
  )
  return { editing, lists, said }
}

describe('A4: editing a list of values', () => {
  it('announces the new place of a moved entry', () => {
    const { editing, lists, said } = edit(['a', 'b', 'c'])
    editing.move(2, -1, '-up')
    expect(lists).toEqual([['a', 'c', 'b']])
    expect(said).toEqual(['Moved to position 2 of 3.'])
  })

  it('moves nothing beyond its ends, silently', () => {
    const { editing, lists, said } = edit(['a', 'b'])
    editing.move(0, -1)
    editing.move(1, 1)
    expect([lists, said]).toEqual([[], []])
  })

  it.each([
    ['/a,/b', ['x', '/a', '/b', 'y']],
    ['/a, ,/b,', ['x', '/a', '/b', 'y']],
    ['/a,', ['x', '/a', 'y']],
    [',', ['x', '', 'y']],
  ])('splits a typed %j when its entry loses the focus', (typed, expected) => {
    const { editing, lists } = edit(['x', typed, 'y'])
    editing.leave(1)
    expect(lists).toEqual([expected])
  })

  it.each(['/a b', '{"a":1,"b":2}', ''])('keeps %j as typed', (typed) => {
    const { editing, lists, said } = edit([typed, 'y'])
    editing.leave(0)
    expect([lists, said]).toEqual([[], []])
  })

  it('splits at Enter and continues below', () => {
    const { editing, lists, said } = edit(['/a,/b', 'y'])
    const event = { key: 'Enter', nativeEvent: {}, preventDefault: () => undefined }
    editing.onKeyDown(event as KeyboardEvent, 0, true)
    expect(lists).toEqual([['/a', '/b', '', 'y']])
    expect(said).toEqual(['Split at commas. The list has 4 entries.'])
  })

  it('keeps the commas of an existing entry at Enter', () => {
    const { editing, lists } = edit(['a,b'])
    const event = { key: 'Enter', nativeEvent: {}, preventDefault: () => undefined }
    editing.onKeyDown(event as KeyboardEvent, 0, false)
    expect(lists).toEqual([['a,b', '']])
  })

  it('announces what was removed', () => {
    const { editing, lists, said } = edit(['a', 'b'])
    editing.remove(1)
    expect(lists).toEqual([['a']])
    expect(said).toEqual(['Entry 2 removed.'])
  })
})
