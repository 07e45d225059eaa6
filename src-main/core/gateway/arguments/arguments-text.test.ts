import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { argumentsText } from './arguments-text'

describe('the arguments of a call as they were written', () => {
  it('are found wherever they stand, and are those that JSON.parse gives', () => {
    const value = fc.jsonValue({ maxDepth: 4 })
    const spaces = fc.constantFrom('', ' ', '\n\t ')
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), value),
        fc.dictionary(fc.string(), value),
        value,
        fc.constantFrom(0, 1, 2),
        spaces,
        (outer, inner, args, indent, space) => {
          const params = { ...inner, arguments: args, after: inner }
          const whole = { ...outer, params, later: outer }
          const text = `${space}${JSON.stringify(whole, undefined, indent)}${space}`
          const found = argumentsText(text)
          expect(JSON.parse(found ?? '')).toEqual(JSON.parse(JSON.stringify(args)))
          expect(text).toContain(found)
        },
      ),
      { numRuns: 500 },
    )
  })

  it.each([
    ['{"params":{"arguments":{"a":1,"a":2}}}', '{"a":1,"a":2}'],
    [String.raw`{"par\u0061ms":{"arguments":"\\\"}"}}`, String.raw`"\\\"}"`],
    ['{"params":{"arguments":1},"params":{"arguments":2,"arguments":3}}', '3'],
    ['{"params":{"arguments":null}}', 'null'],
    ['{"params":{"arguments":-1.5e3 ,"b":0}}', '-1.5e3'],
  ])('are those of %s', (text, args) => {
    expect(argumentsText(text)).toBe(args)
  })

  it.each(['{}', '[]', '{"params":[]}', '{"params":{}}', '{"arguments":1}', '"params"', ' 7 '])(
    'are missing in %s',
    (text) => {
      expect(argumentsText(text)).toBeUndefined()
    },
  )

  it('are found in 16 MB', () => {
    const args = {
      text: '"\\'.repeat(4_000_000),
      list: Array.from({ length: 100_000 }, () => ({})),
    }
    const text = JSON.stringify({ id: 1, params: { name: 'a', arguments: args } })
    expect(argumentsText(text)).toBe(JSON.stringify(args))
  })
})
