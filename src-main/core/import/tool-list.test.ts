import { describe, expect, it } from 'vitest'

import { lineOf, oneOf, serversOf } from '../../../e2e/fixtures/pasted-text'
import type { SavedToolChoice } from '../../../src-shared/domain/tool-choice'
import { describeToolChoice } from './tool-list'

const list = (...names: string[]): SavedToolChoice => ({ kind: 'list', names })

describe('C7: the tool list of a configuration', () => {
  it.each<[object, SavedToolChoice, string[]]>([
    [{}, { kind: 'all' }, []],
    [{ tools: null }, { kind: 'all' }, []],
    [{ tools: [] }, { kind: 'none' }, []],
    [{ tools: ['a', 'b', 'a'] }, list('a', 'b'), []],
    [{ tools: ['*'] }, { kind: 'all' }, []],
    [{ includeTools: ['a', 'b'], excludeTools: ['b'] }, list('a'), []],
    [{ enabled_tools: ['a'], disabled_tools: ['a'] }, { kind: 'none' }, []],
    [{ disabledTools: ['a', 'a'] }, { kind: 'except', names: ['a'] }, []],
    [{ tools: ['*'], excludeTools: ['a'] }, { kind: 'except', names: ['a'] }, []],
    [{ disabledTools: [] }, { kind: 'all' }, []],
    [{ includeTools: ['read_*', 'a'] }, list('a'), ['one.includeTools']],
    [{ tools: { a: true } }, { kind: 'all' }, ['one.tools']],
    [{ tools: {} }, { kind: 'all' }, []],
  ])('is read from %j', async (keys, expected, reported) => {
    const { tools, drafted } = await oneOf({ one: { command: 'x', ...keys } })
    expect(tools).toEqual(expected)
    expect(drafted.notices.map(({ path }) => path)).toEqual(reported)
  })

  it('is rejected with impossible tool names', async () => {
    const [server] = await serversOf({ one: { command: 'x', tools: ['a'.repeat(1_001)] } })
    expect(lineOf(server)).toBe('one.tools: expected at most 10000 tool names.')
  })

  it('is described with the first twelve names', () => {
    expect(describeToolChoice({ kind: 'all' })).toBeUndefined()
    expect(describeToolChoice({ kind: 'none' })).toBe('No tools are available to agents.')
    expect(describeToolChoice({ kind: 'except', names: ['a', 'b'] })).toBe(
      'All tools but “a”, “b” are available to agents.',
    )
    const many = Array.from({ length: 14 }, (_, index) => `t${String(index)}`)
    expect(describeToolChoice(list(...many))).toMatch(
      /^Only “t0”, .*“t11” and 2 more is available to agents\.$/,
    )
  })
})
