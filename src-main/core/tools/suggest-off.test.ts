import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { ToolExposure, type ToolView } from '../../../src-shared/domain/agents/tools'
import { suggestOff } from './tools-state'

const DAY_MS = 86_400_000
const NOW = Date.UTC(2026, 10, 22, 12)
const ONE = '8f14e45f-ceea-467f-9575-a1b2c3d4e5f6'

const tool = (name: string, part: Partial<ToolView> = {}): ToolView => ({
  installationId: ONE,
  name,
  exposure: 'exposed',
  hash: name,
  securityWarnings: [],
  uses: 0,
  ...part,
})
const used = (name: string, uses: number, daysAgo: number, tokens = 100): ToolView =>
  tool(name, { uses, tokens, lastUsedAt: NOW - daysAgo * DAY_MS })
const names = (tools: ToolView[], limit: number): string[] =>
  suggestOff(tools, limit, NOW).map(({ name }) => name)

const anyTool = fc.record({
  installationId: fc.nat(20).map((digit) => `${ONE}${String(digit)}`),
  name: fc.constantFrom('a', 'b'),
  exposure: fc.constantFrom('exposed' as const, ...ToolExposure.options),
  hash: fc.constant('h'),
  securityWarnings: fc.constant<ToolView['securityWarnings']>([]),
  tokens: fc.constantFrom(undefined, 10, 2_000),
  uses: fc.constantFrom(0, 0, 0, 1, 2, 50),
  lastUsedAt: fc.option(
    fc.integer({ min: -2, max: 60 }).map((days) => NOW - days * DAY_MS),
    { nil: undefined, freq: 1 },
  ),
})
const anyTools = fc.uniqueArray(anyTool, {
  maxLength: 30,
  size: 'max',
  selector: ({ installationId, name }) => `${installationId} ${name}`,
})

describe('C3: the suggestion of tools to turn off', () => {
  it('reduces the exposed tools to the limit, each tool once', () => {
    fc.assert(
      fc.property(anyTools, fc.integer({ min: 1, max: 20 }), (tools, limit) => {
        const exposed = tools.filter(({ exposure }) => exposure === 'exposed')
        const offers = suggestOff(tools, limit, NOW)
        expect(offers).toHaveLength(Math.max(0, exposed.length - limit))
        const left = new Set(exposed.map(({ installationId, name }) => `${installationId} ${name}`))
        for (const { installationId, name } of offers)
          expect(left.delete(`${installationId} ${name}`)).toBe(true)
      }),
    )
  })

  it('does not depend on the order of tools, and a lower limit only extends it', () => {
    fc.assert(
      fc.property(anyTools, fc.integer({ min: 1, max: 20 }), (tools, limit) => {
        const offers = suggestOff(tools, limit, NOW)
        expect(suggestOff(tools.toReversed(), limit, NOW)).toEqual(offers)
        const fewer = names(tools, limit + 1)
        expect(fewer).toEqual(offers.map(({ name }) => name).slice(0, -1))
      }),
    )
  })

  it('has one sentence per tool, and no unknown number', () => {
    fc.assert(
      fc.property(anyTools, (tools) => {
        for (const { because, tokens } of suggestOff(tools, 1, NOW)) {
          expect(because).toMatch(/^[A-Z][^.]+\.$/u)
          expect(because).not.toMatch(/undefined|NaN|-\d/u)
          expect(because.includes('≈')).toBe(tokens !== undefined)
        }
      }),
    )
  })

  it('ends with tools that were called in the last 7 days', () => {
    fc.assert(
      fc.property(anyTools, fc.integer({ min: 1, max: 20 }), (tools, limit) => {
        const exposed = tools.filter(({ exposure }) => exposure === 'exposed')
        const isLate = ({ lastUsedAt }: ToolView): boolean =>
          lastUsedAt !== undefined && NOW - lastUsedAt < 7 * DAY_MS
        const offers = suggestOff(tools, limit, NOW)
        const reported = offers.filter(({ because }) => because.includes('Suggested only to reach'))
        const others = exposed.filter((one) => !isLate(one)).length
        expect(reported).toHaveLength(Math.max(0, offers.length - others))
      }),
    )
  })

  it('begins with tools that were never called, then rarely called ones, larger ones first', () => {
    const tools = [
      used('daily', 40, 0),
      used('weekly', 4, 8),
      tool('small', { tokens: 5 }),
      used('once', 1, 20),
      tool('large', { tokens: 5_000 }),
      used('long ago', 0, 45),
      tool('uncounted'),
      used('once and large', 1, 9, 900),
    ]
    expect(names(tools, 1)).toEqual([
      'large',
      'small',
      'uncounted',
      'long ago',
      'once and large',
      'once',
      'weekly',
    ])
  })

  it('gives the reason in a sentence', () => {
    const tools = [
      tool('never', { tokens: 1_240 }),
      tool('uncounted'),
      used('long ago', 0, 45),
      used('rare', 1, 12),
      used('often', 1_200, 1),
      used('now', 1_300, 0),
      used('late', 1_400, -1),
    ]
    expect(suggestOff(tools, 1, NOW).map(({ because }) => because)).toEqual([
      'Never called; ≈ 1,240 tokens.',
      'Never called; size unknown.',
      'Not called in 30 days; ≈ 100 tokens.',
      'Called once in 30 days, last 12 days ago; ≈ 100 tokens.',
      'Called 1,200 times in 30 days, last a day ago. Suggested only to reach 1 tool; ≈ 100 tokens.',
      'Called 1,300 times in 30 days, last within a day. Suggested only to reach 1 tool; ≈ 100 tokens.',
    ])
  })

  it('claims nothing about calls if none were ever made', () => {
    const tools = [tool('a', { tokens: 10 }), tool('b', { tokens: 2_000 }), tool('c')]
    expect(suggestOff(tools, 1, NOW)).toEqual([
      {
        installationId: ONE,
        name: 'b',
        tokens: 2_000,
        because: 'No calls yet, sorted by size; ≈ 2,000 tokens.',
      },
      {
        installationId: ONE,
        name: 'a',
        tokens: 10,
        because: 'No calls yet, sorted by size; ≈ 10 tokens.',
      },
    ])
  })
})
