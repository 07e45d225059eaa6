import { describe, expect, it } from 'vitest'

import { argumentRows } from './argument-rows'

describe('E6 the arguments of a call that waits for approval', () => {
  it('are lines of names and values, texts without quotes', () => {
    expect(argumentRows('{"path":"a\\nb","count":3,"deep":{"x":[1]}}')).toEqual([
      { name: 'path', text: 'a\nb' },
      { name: 'count', text: '3' },
      { name: 'deep', text: '{\n  "x": [\n    1\n  ]\n}' },
    ])
  })

  it.each(['{}', '[1]', '"text"', '{"cut": "in the mid', '{"id": 12345678901234567890}'])(
    'stay the text that they are where lines would not show all of it: %s',
    (json) => {
      expect(argumentRows(json)).toBeUndefined()
    },
  )
})
