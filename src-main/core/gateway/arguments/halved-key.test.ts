import { describe, expect, it } from 'vitest'

import { halvedKey } from './halved-key'

describe('C11 a key that holds half a character', () => {
  it.each([
    [{ '\ud800': 1 }, String.raw`The key "\ud800" holds half a character;`],
    [{ 'a\udc00b': 1 }, String.raw`The key "a\udc00b" holds half a character;`],
    [
      { options: { list: [1, { '\ud83d': null }] } },
      String.raw`The key "\ud83d" in options.list[1] holds half a character;`,
    ],
  ])('is named with its place: %j', (value, said) => {
    expect(halvedKey(value)).toContain(said)
  })

  it('is none where every character is whole, also in texts that are no keys', () => {
    expect(halvedKey({ '\u{1F600}': 1, grün: [{ a: '\ud800' }, null, 5] })).toBeUndefined()
  })

  it('is found however deep it lies', () => {
    let deep: object = { '\ud800': 1 }
    for (let level = 0; level < 50_000; level += 1) deep = [deep]
    expect(halvedKey(deep)).toContain(String.raw`The key "\ud800"`)
  })
})
