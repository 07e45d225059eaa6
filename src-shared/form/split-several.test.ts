import { describe, expect, it } from 'vitest'

import { splitSeveral } from './split-several'

describe('A4: comma-separated text', () => {
  it.each([
    ['a, b,,c,', ['a', 'b', 'c']],
    ['a b', ['a b']],
    [' , ', []],
    ['{"a":1,"b":[2,3]}', ['{"a":1,"b":[2,3]}']],
    [' ["a","b"]', [' ["a","b"]']],
    ['{a,b}', ['{a', 'b}']],
    ['1,2', ['1', '2']],
  ])('splits %j into %j', (text, several) => {
    expect(splitSeveral(text)).toEqual(several)
  })
})
