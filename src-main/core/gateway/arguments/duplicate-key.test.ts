import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { duplicateKey } from './duplicate-key'
import { textFault } from './text-fault'

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
