import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { indentedText } from '../../../components/json/json-nodes'
import { asLine } from './message-detail'

describe('D5: copied message', () => {
  it('is pretty-printed if it is JSON, and unchanged otherwise', () => {
    expect(indentedText('{"id":1}')).toBe('{\n  "id": 1\n}')
    expect(indentedText('{"id":')).toBe('{"id":')
    // Formatting keeps every token.
    expect(indentedText('{"id":9007199254740993,"id":1.0}')).toBe(
      '{\n  "id": 9007199254740993,\n  "id": 1.0\n}',
    )
  })

  it('is one line with the same meaning, however the server wrote it', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const value: unknown = JSON.parse(json)
        const line = asLine(JSON.stringify(value, null, 2))
        expect(line).not.toMatch(/[\n\r]/u)
        expect(JSON.parse(line)).toEqual(value)
      }),
    )
  })
})
