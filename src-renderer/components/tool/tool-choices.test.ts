import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { ToolChoice } from '../../../src-shared/domain/tool-choice'
import { chooser, withTools } from './tool-choices'

const ALL = ['a', 'b', 'c', 'd']
const NAME = fc.constantFrom(...ALL, 'gone')
const CHOICE: fc.Arbitrary<ToolChoice> = fc.oneof(
  fc.constant<ToolChoice>({ kind: 'all' }),
  fc.constant<ToolChoice>({ kind: 'none' }),
  fc.uniqueArray(NAME).map((names): ToolChoice => ({ kind: 'list', names })),
)

describe('C7: tool choice after turning tools on or off', () => {
  it('changes only these tools and keeps all others', () => {
    fc.assert(
      fc.property(CHOICE, fc.subarray(ALL), fc.boolean(), (choice, names, isOn) => {
        const next = withTools(choice, ALL, names, isOn)
        const [was, is] = [chooser(choice), chooser(next)]
        for (const name of ALL) expect(is(name)).toBe(names.includes(name) ? isOn : was(name))
        // The server may list this name again later.
        const isOfList = choice.kind === 'list' && next.kind === 'list'
        if (isOfList) expect(is('gone')).toBe(was('gone'))
      }),
    )
  })

  it('becomes all or none when all or no tools remain', () => {
    const oneOff = withTools({ kind: 'all' }, ALL, ['b'], false)
    expect(oneOff).toEqual({ kind: 'list', names: ['a', 'c', 'd'] })
    expect(withTools(oneOff, ALL, ['b'], true)).toEqual({ kind: 'all' })
    expect(withTools(oneOff, ALL, ALL, false)).toEqual({ kind: 'none' })
  })

  it('keeps an unlisted name and then is not a choice of all', () => {
    const choice = withTools({ kind: 'list', names: ['a', 'gone'] }, ['a', 'b'], ['b'], true)
    expect(choice).toEqual({ kind: 'list', names: ['a', 'b', 'gone'] })
  })
})
