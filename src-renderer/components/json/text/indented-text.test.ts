import { describe, expect, it } from 'vitest'

import { indented } from './indented-text'

describe('E6 recorded arguments', () => {
  it('are shown over lines with the digits that were sent, and as they are where they were cut', () => {
    const exact = '{"id":12345678901234567993,"huge":1e400,"near":0.10000000000000000555}'
    expect(indented(exact)).toBe(
      '{\n  "id": 12345678901234567993,\n  "huge": 1e400,\n  "near": 0.10000000000000000555\n}',
    )
    expect(indented('{"id":1234567890…')).toBe('{"id":1234567890…')
  })
})
