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

describe('A4 a list of values', () => {
  it('says where a moved entry stands', () => {
    const { editing, lists, said } = edit(['a', 'b', 'c'])
    editing.move(2, -1, '-up')
    expect(lists).toEqual([['a', 'c', 'b']])
    expect(said).toEqual(['Moved to place 2 of 3.'])
  })

  it('moves nothing beyond its ends and says nothing then', () => {
    const { editing, lists, said } = edit(['a', 'b'])
    editing.move(0, -1)
    editing.move(1, 1)
    expect([lists, said]).toEqual([[], []])
  })

  it('says what was removed', () => {
    const { editing, lists, said } = edit(['a', 'b'])
    editing.remove(1)
    expect(lists).toEqual([['a']])
    expect(said).toEqual(['Entry 2 removed.'])
  })
})
