import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { duplicateKey, loneSurrogateKey, textFault } from './text-faults'

describe('C11 keys that are there twice', () => {
  it.each([
    ['{"a": 1, "a": 2}', 'Duplicate key "a". Send it once, with the intended value.'],
    [
      '{"o": [{}, {"b": 1, "b": 1}]}',
      'Duplicate key "b" in o[1]. Send it once, with the intended value.',
    ],
    [
      String.raw`{"path": 1, "p\u0061th": 2}`,
      'Duplicate key "path". Send it once, with the intended value.',
    ],
  ])('%s', (text, sentence) => {
    expect(duplicateKey(text)).toBe(sentence)
  })

  it('are not found where there are none, such as in different objects or in texts', () => {
    expect(
      duplicateKey(String.raw`{"a": {"a": [{"a": 1}, {"a": 2}]}, "b": "\"a\": 1"}`),
    ).toBeUndefined()
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(duplicateKey(JSON.stringify(value, undefined, 1))).toBeUndefined()
      }),
    )
  })
})

describe('C11 arguments that came as a text', () => {
  it.each([
    [
      '{"a": 1}',
      'The arguments are a JSON string. Send the object itself, without quotes or code fences.',
    ],
    [
      '```json\n{"a": 1}\n```',
      'The arguments are a JSON string. Send the object itself, without quotes or code fences.',
    ],
    [
      '{"a": 1',
      'The arguments are a string that is not valid JSON: close brace expected at character 8, after "{\\"a\\": 1". Send an object.',
    ],
    [
      "{'a': 1}",
      'The arguments are a string that is not valid JSON: invalid symbol at character 2, after "{". Send an object.',
    ],
    ['5', 'The arguments must be an object, got a string.'],
    [
      '',
      'The arguments are a string that is not valid JSON: value expected at character 1. Send an object.',
    ],
  ])('%j', (text, sentence) => {
    expect(textFault(text)).toBe(sentence)
  })
})

describe('C11 a key that holds half a character', () => {
  it.each([
    [{ '\ud800': 1 }, String.raw`Invalid Unicode in the key "\ud800": lone surrogate.`],
    [{ 'a\udc00b': 1 }, String.raw`Invalid Unicode in the key "a\udc00b": lone surrogate.`],
    [
      { options: { list: [1, { '\ud83d': null }] } },
      String.raw`Invalid Unicode in the key "\ud83d" in options.list[1]: lone surrogate.`,
    ],
  ])('is named with its place: %j', (value, said) => {
    expect(loneSurrogateKey(value)).toContain(said)
  })

  it('is none where every character is whole, also in texts that are no keys', () => {
    expect(loneSurrogateKey({ '\u{1F600}': 1, grün: [{ a: '\ud800' }, null, 5] })).toBeUndefined()
  })

  it('is found however deep it lies', () => {
    let deep: object = { '\ud800': 1 }
    for (let level = 0; level < 50_000; level += 1) deep = [deep]
    expect(loneSurrogateKey(deep)).toContain(String.raw`the key "\ud800"`)
  })
})
