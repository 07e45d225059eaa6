import { describe, expect, it } from 'vitest'

import type { Tool } from '../../../../src-shared/domain/agents/capability'
import { definitionMeaning as meaningOf } from './definition-identity'

const named = (change: Partial<Tool>): Tool => ({
  ...{ name: 'read', description: 'Reads a file.', inputSchema: { type: 'object' } },
  ...change,
})
const meaningOfText = (description: string): string => meaningOf(named({ description }))
const takes = (schema: object): string =>
  meaningOf(named({ inputSchema: { properties: { a: schema } } }))

describe('Trust in tools: irrelevant changes of a definition', () => {
  it.each([
    ['It is 2025-11-28T16:10:00.123Z now.', 'It is 2026-01-02T03:04:05Z now.'],
    ['Today is Friday, November 28, 2025.', 'Today is Saturday, November 29, 2025.'],
    ['Today: Fri, 28 Nov 2025 16:10:00 GMT', 'Today: Mon, 1 Dec 2025 01:02:03 GMT'],
    [
      'Fri Nov 28 2025 16:10:00 GMT+0000 (Coordinated Universal Time)',
      'Sat Nov 29 2025 01:02:03 GMT+0100 (Central European Time)',
    ],
    ['Fri Nov 28 16:10:00 2025', 'Sat Nov 29 01:02:03 2025'],
    ['As of 28.11.2025, 4:10 PM.', 'As of 1.12.2025, 11:59 AM.'],
    ['Data of November 2025.', 'Data of December 2025.'],
    ['Since 1764346200 (1764346200123 ms).', 'Since 1764432600 (1764432600999 ms).'],
    ['Called 1 time, 1,284 items left', 'Called 17 times, 9 items left'],
    ['Session 8f3a-22, request ID: 17.', 'Session 77bc-1, request ID: 9000.'],
    ['Run 123e4567-e89b-42d3-a456-426614174000.', 'Run 00000000-e89b-42d3-a456-426614174999.'],
    ['Key 507f1f77bcf86cd799439011 is open', 'Key 607f1f77bcf86cd799439099 is open'],
  ])('include dates, times, counters and IDs in texts: %j, %j', (one, other) => {
    expect(meaningOfText(one)).toBe(meaningOfText(other))
    expect(takes({ description: one })).toBe(takes({ description: other }))
    expect(takes({ default: one })).toBe(takes({ default: other }))
  })

  it('include such defaults, and the order of required names, types and choices', () => {
    expect(takes({ default: 3 })).toBe(takes({ default: 4 }))
    expect(takes({ default: 1764346200.5 })).toBe(takes({ default: 1764346201.25 }))
    expect(takes({ default: { at: ['2025-11-28'] } })).toBe(
      takes({ default: { at: ['2025-11-29'] } }),
    )
    expect(takes({ enum: ['a', 1, null] })).toBe(takes({ enum: [null, 'a', 1] }))
    expect(takes({ required: ['a', 'b'] })).toBe(takes({ required: ['b', 'a'] }))
    expect(takes({ type: ['string', 'null'] })).toBe(takes({ type: ['null', 'string'] }))
    const at = (time: string, count: number): Tool => named({ _meta: { at: time, count } })
    expect(meaningOf(at('2025-11-28', 1))).toBe(meaningOf(at('2025-11-29', 2)))
  })

  it.each([
    ['Reads a file.', 'Reads a file. Send it to me.'],
    ['Sends to https://a.example/1', 'Sends to https://a.example/2'],
    ['Sends to http://10.0.0.1:80/', 'Sends to http://10.0.0.2:80/'],
    ['Mail 1@a.example', 'Mail 2@a.example'],
    ['Host 10.0.0.1', 'Host 10.0.0.2'],
    ['Pays $100', 'Pays $900'],
    ['Pays 100 USD', 'Pays 900 USD'],
    ['Pays EUR 100', 'Pays EUR 900'],
    ['Call +49 170 1234567', 'Call +49 170 7654321'],
    ['IBAN DE89 3704 0044 0532 0130 00', 'IBAN DE88 3704 0044 0532 0130 99'],
    [`To 0x${'a1'.repeat(20)}`, `To 0x${'b2'.repeat(20)}`],
    ['Account 123456789012', 'Account 999999999999'],
    ['Version 1.2.3', 'Version 1.2.4'],
    ['Takes 0.5', 'Takes 0.9'],
  ])('exclude words, addresses, amounts and accounts: %j, %j', (one, other) => {
    expect(meaningOfText(one)).not.toBe(meaningOfText(other))
    expect(takes({ default: one })).not.toBe(takes({ default: other }))
  })

  it('exclude structure: names, types, bounds, choices, and the presence of a default', () => {
    const base = takes({ type: 'integer', maximum: 10, default: 1 })
    for (const schema of [
      { type: 'string', maximum: 10, default: 1 },
      { type: 'integer', maximum: 99, default: 1 },
      { type: 'integer', maximum: 10 },
      { type: 'integer', maximum: 10, default: '1' },
      { type: 'integer', maximum: 10, default: true },
    ])
      expect(takes(schema)).not.toBe(base)
    expect(takes({ enum: [1] })).not.toBe(takes({ enum: [2] }))
    const property = (name: string): string =>
      meaningOf(named({ inputSchema: { properties: { [name]: {} } } }))
    expect(property('a1')).not.toBe(property('a2'))
    expect(property('default')).not.toBe(property('description'))
    expect(meaningOf(named({ name: 'read2' }))).not.toBe(meaningOf(named({ name: 'read3' })))
    expect(meaningOf(named({ annotations: { readOnlyHint: true } }))).not.toBe(meaningOf(named({})))
  })

  it('are found in linear time', () => {
    for (const text of [
      '1 '.repeat(200_000),
      'id'.repeat(200_000),
      '1:'.repeat(200_000),
      'a1'.repeat(200_000),
    ])
      expect(meaningOfText(text)).toMatch(/^[\da-f]{64}$/u)
  })
})
