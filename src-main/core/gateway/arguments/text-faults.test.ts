import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { duplicateKey, loneSurrogateKey, textFault } from './text-faults'

describe('C11 keys that are there twice', () => {
  it.each([
    ['{"a": 1, "a": 2}', 'The key "a" is there twice; send it once, with the value that you mean.'],
    [
      '{"o": [{}, {"b": 1, "b": 1}]}',
      'The key "b" is there twice in o[1]; send it once, with the value that you mean.',
    ],
    [
      String.raw`{"path": 1, "p\u0061th": 2}`,
      'The key "path" is there twice; send it once, with the value that you mean.',
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
      'The arguments are a JSON text; send the object itself, without quotes or fences around it.',
    ],
    [
      '```json\n{"a": 1}\n```',
      'The arguments are a JSON text; send the object itself, without quotes or fences around it.',
    ],
    [
      '{"a": 1',
      'The arguments are a text that is no JSON: close brace expected at character 8, after "{\\"a\\": 1"; send an object.',
    ],
    [
      "{'a': 1}",
      'The arguments are a text that is no JSON: invalid symbol at character 2, after "{"; send an object.',
    ],
    ['5', 'The arguments must be an object, and are a text.'],
    [
      '',
      'The arguments are a text that is no JSON: value expected at character 1; send an object.',
    ],
  ])('%j', (text, sentence) => {
    expect(textFault(text)).toBe(sentence)
  })
})

describe('C11 a key that holds half a character', () => {
  it.each([
    [{ '\ud800': 1 }, String.raw`The key "\ud800" holds half a character;`],
    [{ 'a\udc00b': 1 }, String.raw`The key "a\udc00b" holds half a character;`],
    [
      { options: { list: [1, { '\ud83d': null }] } },
      String.raw`The key "\ud83d" in options.list[1] holds half a character;`,
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
    expect(loneSurrogateKey(deep)).toContain(String.raw`The key "\ud800"`)
  })
})
