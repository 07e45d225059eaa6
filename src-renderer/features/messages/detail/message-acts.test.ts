import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { indented } from '../../../components/json/json-nodes'
import { asLine } from './message-detail'

describe('D5 a message that is copied', () => {
  it('is indented where it is JSON, and as it is elsewhere', () => {
    expect(indented('{"id":1}')).toBe('{\n  "id": 1\n}')
    expect(indented('{"id":')).toBe('{"id":')
    // Nothing in it becomes another thing.
    expect(indented('{"id":9007199254740993,"id":1.0}')).toBe(
      '{\n  "id": 9007199254740993,\n  "id": 1.0\n}',
    )
  })

  it('is one line that means the same, however the server wrote it', () => {
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
