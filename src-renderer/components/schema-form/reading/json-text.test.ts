import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { faultMessage, readJson } from './json-text'

function said(text: string): string {
  const read = readJson(text)
  return read.kind === 'fault' ? faultMessage(read) : 'no fault'
}

describe('JSON input', () => {
  it('reports line and column of a syntax error', () => {
    expect(said('{\n  "value": ,\n}')).toBe('Line 2, column 12: Unexpected ",".')
    expect(said('{"a": 1,}')).toBe('Line 1, column 9: Unexpected "}".')
    expect(said('{"a": tru}')).toBe('Line 1, column 10: Unexpected "}".')
    expect(said('{"a": [1, 2')).toBe('Line 1, column 12: Unexpected end of text.')
    expect(said('"a\nb"')).toBe('Line 1, column 3: Unexpected end of line.')
    expect(said("{'a': 1}")).toBe('Line 1, column 2: Unexpected "\'".')
    expect(said('[1]]')).toBe('Line 1, column 4: Unexpected "]".')
  })

  it('reports an integer that would lose digits and accepts others', () => {
    expect(said('{"n":\n 9007199254740993}')).toBe(
      'Line 2, column 2: 9007199254740993 has too many digits and would be sent as 9007199254740992.',
    )
    expect(
      said(
        '[9007199254740991, 1e300, 0.1, -9007199254740992, 18014398509481984, 133650982054180180]',
      ),
    ).toBe('no fault')
    expect(said(`[${'9'.repeat(400)}]`)).toMatch(/too many digits/u)
  })

  it('accepts everything that JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value)
        expect(readJson(text)).toEqual({ kind: 'value', value: JSON.parse(text) as unknown })
      }),
    )
  })

  it('reports the error of any text within it or at its end', () => {
    fc.assert(
      fc.property(
        fc.json(),
        fc.nat(),
        fc.constantFrom('', ',', '}', 'x', '"'),
        (json, place, sign) => {
          const at = place % (json.length + 1)
          const text = json.slice(0, at) + sign
          const read = readJson(text)
          if (read.kind === 'value') return
          expect(read.line).toBe(1)
          expect(read.column).toBeGreaterThanOrEqual(1)
          expect(read.column).toBeLessThanOrEqual(text.length + 1)
        },
      ),
    )
  })
})
