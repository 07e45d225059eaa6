import { describe, expect, it } from 'vitest'

import { exactJson, mayLoseDigits } from './exact-json'

describe('F6 JSON that keeps its digits', () => {
  it.each([
    '{"id":1917043659912705297}',
    '[1.0,-0,1e2,0.1000000000000000055,1.50,12345678901234567890.5]',
    '{"a":[{"b":{"c":100000000000000000000}}],"d":"1.0"}',
    '{"plain":[1,-2,"x",null,true]}',
    '7.0',
  ])('writes %s as it was read', (text) => {
    expect(JSON.stringify(exactJson(text))).toBe(text)
  })

  it.each([
    ['{"a":1917043659912705297}', true],
    ['{"a":-0.1000000000000000055}', true],
    ['{"a":1e400}', true],
    ['{"a":0.30000000000000004,"b":1.0,"c":1e5,"d":9007199254740991}', false],
    ['{"a":"1917043659912705297"}', true],
  ])('looks at %s, whether values change', (text, expected) => {
    expect(mayLoseDigits(text)).toBe(expected)
  })

  it('gives plain numbers where JavaScript keeps them', () => {
    expect(exactJson('{"a":1.5,"b":2}')).toEqual({ a: 1.5, b: 2 })
  })
})
