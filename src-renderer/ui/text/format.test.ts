import { describe, expect, it } from 'vitest'

import {
  formatAge,
  formatBytes,
  formatDuration,
  formatList,
  formatMoment,
  formatSeconds,
  formatTenths,
  formatWhole,
} from './format'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

describe('durations, times and lists in words', () => {
  it('use the largest suitable unit', () => {
    expect([40, 94, 95, 900, 2_140, 9_949, 9_950, 12_400].map(formatDuration)).toEqual([
      '40 ms',
      '94 ms',
      '0.1 s',
      '0.9 s',
      '2.1 s',
      '9.9 s',
      '10 s',
      '12 s',
    ])
    expect([0, 125_000, 6 * HOUR + 12 * MINUTE, 76 * HOUR].map(formatWhole)).toEqual([
      '0 s',
      '2 min 5 s',
      '6 h 12 min',
      '3 d 4 h',
    ])
    expect([-5, 42_000, 125_000].map(formatAge)).toEqual(['0 s', '42 s', '2 min'])
  })

  it("show now, minutes, today's time and yesterday, then the date", () => {
    const now = new Date(2026, 10, 22, 15, 0).getTime()
    expect(formatMoment(now - 20_000, now)).toBe('now')
    expect(formatMoment(now - 2 * MINUTE, now)).toBe('2 min ago')
    expect(formatMoment(now - 3 * HOUR, now)).toBe('at 12:00 PM')
    expect(formatMoment(new Date(2026, 10, 21, 18, 40).getTime(), now)).toBe('yesterday at 6:40 PM')
    expect(formatMoment(new Date(2026, 10, 3, 9, 0).getTime(), now)).toBe('Nov 3, 2026')
  })

  it('show the day of a time only if it is not today', () => {
    const at = new Date(2026, 10, 22, 14, 2, 7).getTime()
    expect(formatSeconds(at, at + HOUR)).toBe('2:02:07 PM')
    expect(formatSeconds(at, at + 24 * HOUR)).toBe('Nov 22, 2:02:07 PM')
  })
})

it('show a size in the largest suitable unit', () => {
  expect([0, 1_023, 1_024, 12_345, 1_468_006, 10_485_760, 5e9].map(formatBytes)).toEqual([
    '0 bytes',
    '1023 bytes',
    '1 KB',
    '12 KB',
    '1.4 MB',
    '10 MB',
    '4.7 GB',
  ])
  expect([0, 0.42, 9.9, 9.96].map(formatTenths)).toEqual(['0', '0.4', '9.9', '10'])
})

it('join names like a sentence', () => {
  expect(formatList(['Zed'])).toBe('Zed')
  expect(formatList(['Zed', 'Cursor'])).toBe('Zed and Cursor')
  expect(formatList(['Zed', 'Cursor', 'Codex'])).toBe('Zed, Cursor, and Codex')
})
