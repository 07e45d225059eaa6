import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { SavedToolChoice } from '../../../../src-shared/domain/tool-choice'
import { selectTools, shownChoice } from './tool-directory'

const LIST = ['read', 'write', 'remove']

describe('C7: the selection of tools', () => {
  it('is all or none', () => {
    expect(selectTools({ kind: 'all' }, LIST)).toEqual({
      isChosen: [true, true, true],
      unknown: [],
    })
    expect(selectTools({ kind: 'none' }, LIST)).toEqual({
      isChosen: [false, false, false],
      unknown: [],
    })
  })

  it('is a list, and reports each missing name once', () => {
    const names = ['write', 'gone', 'Read', 'gone', '__proto__']
    expect(selectTools({ kind: 'list', names }, LIST)).toEqual({
      isChosen: [false, true, false],
      unknown: ['gone', 'Read', '__proto__'],
    })
  })

  it('is all except some, including tools that the server lists later', () => {
    const choice: SavedToolChoice = { kind: 'except', names: ['remove', 'gone'] }
    expect(selectTools(choice, LIST)).toEqual({ isChosen: [true, true, false], unknown: [] })
    expect(shownChoice(choice, LIST)).toEqual({ kind: 'list', names: ['read', 'write'] })
    expect(selectTools(choice, [...LIST, 'new']).isChosen.at(-1)).toBe(true)
    expect(shownChoice({ kind: 'all' }, LIST)).toEqual({ kind: 'all' })
  })

  it('with an empty list is none', () => {
    const { isChosen } = selectTools({ kind: 'list', names: [] }, LIST)
    expect(isChosen).toEqual([false, false, false])
  })

  it('splits the selected names into listed and unknown ones', () => {
    const names = fc.array(fc.constantFrom('a', 'b', 'c', 'd', '__proto__'))
    fc.assert(
      fc.property(names, names, (chosen, listed) => {
        const { isChosen, unknown } = selectTools({ kind: 'list', names: chosen }, listed)
        const on = listed.filter((_, index) => isChosen[index])
        expect(new Set([...on, ...unknown])).toEqual(new Set(chosen))
        expect(on.filter((name) => unknown.includes(name))).toEqual([])
      }),
    )
  })
})
