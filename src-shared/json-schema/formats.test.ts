import { describe, expect, it } from 'vitest'

import { isFormat } from './formats'

describe('F8: the format of a text', () => {
  it.each<[format: string, valid: readonly string[], invalid: readonly string[]]>([
    ['date', ['2024-02-29'], ['2023-02-29', '2024-13-01', '24-01-01', '']],
    [
      'time',
      ['23:59:60Z', '08:30:00.5+02:00'],
      ['24:00:00Z', '08:30Z', '08:30:00', '08:30:00+24:00'],
    ],
    [
      'date-time',
      ['2024-02-29T08:30:00Z', '2024-02-29 08:30:00z'],
      ['2024-02-29', '2024-02-29T08:30:00', '2024-02-30T08:30:00Z', '2024-02-29T08:30:00ZT'],
    ],
    ['duration', ['P1Y2M3DT4H5M6S', 'PT1S', 'P2W'], ['P', 'PT', 'P1S', '1D', 'P-1D']],
    [
      'email',
      ['ann@example.com', 'a.b+c@localhost'],
      ['ann', '@example.com', 'a b@c.de', 'a@-b.de'],
    ],
    ['hostname', ['example.com', 'a-1'], ['-a.com', 'a_b', 'a..b', `${'a'.repeat(64)}.com`, '']],
    ['ipv4', ['127.0.0.1', '255.255.255.255'], ['256.0.0.1', '1.2.3', '1.2.3.4.', '01.2.3.4']],
    [
      'ipv6',
      ['::1', '2001:db8::ff00:42:8329', '::ffff:1.2.3.4'],
      ['1.2.3.4', '::g', '1:2:3', '::1]:80/['],
    ],
    ['uri', ['https://a.example/x?y#z', 'urn:isbn:1'], ['a.example', '/x', 'https://', 'a b:c']],
    ['uri-reference', ['/x', '../y?z', '#a', 'https://a.example'], ['a b', 'http://[']],
    [
      'uuid',
      ['2EB8AA08-aa98-11ea-b4aa-73b441d16380'],
      [
        '2eb8aa08aa9811eab4aa73b441d16380',
        '2gb8aa08-aa98-11ea-b4aa-73b441d16380',
        '2eb8aa08-aa98-11ea-b4aa-73b441d1638g',
      ],
    ],
  ])('is checked as %s', (format, valid, invalid) => {
    expect(valid.filter((text) => isFormat(format, text) !== true)).toEqual([])
    expect(invalid.filter((text) => isFormat(format, text) !== false)).toEqual([])
  })

  it.each([
    ['an unknown format', 'color', 'red'],
    ['a format that is no text', 7, 'red'],
    ['a name of a prototype', 'constructor', 'red'],
    ['a very long text', 'date', '1'.repeat(5_001)],
  ])('is not checked for %s', (_, format, text) => {
    expect(isFormat(format, text)).toBeUndefined()
  })
})
