import { describe, expect, it } from 'vitest'

import { leanSchema } from './lean-schema'

/** Whether a pattern is ignored. */
function isIgnored(pattern: string): boolean {
  return leanSchema({ pattern }, '2020-12').lean.pattern === undefined
}

describe('C11 patterns of schemas', () => {
  it.each([
    '^[a-zA-Z0-9_-]+$',
    String.raw`^\d{4}-\d{2}-\d{2}$`,
    '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}$',
    '^https?://',
    String.raw`^[^/\\]*$`,
    '^a.b',
    '^',
  ])('%s is checked', (pattern) => {
    expect(isIgnored(pattern)).toBe(false)
  })

  it.each([
    '^(a+)+$',
    '^(a|a)*$',
    '^a*a*$',
    'a+$',
    '^(?=a)b',
    String.raw`^(.)\1`,
    '^[a-z]{1,9}[a-z]{1,9}$',
    `^${'[a-z]'.repeat(60)}$`,
  ])('%s can run away, and is ignored', (pattern) => {
    expect(isIgnored(pattern)).toBe(true)
  })

  it('are read in no time, whatever they are made for', () => {
    for (const pattern of [
      '^' + 'a'.repeat(199),
      '^' + 'a{1}'.repeat(49),
      '^' + '[a]'.repeat(66) + '(',
    ])
      expect(typeof isIgnored(pattern)).toBe('boolean')
  })
})

describe('C11 the copy of a schema', () => {
  it('has what asserts something, and not what describes or what is not checked', () => {
    const { lean, findings } = leanSchema(
      {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        title: 'T',
        description: 'D',
        type: 'object',
        properties: { title: { type: 'string', format: 'email', default: 'x', examples: ['y'] } },
        'x-mine': { type: 'object' },
      },
      '2020-12',
    )
    expect(JSON.parse(JSON.stringify(lean))).toEqual({
      type: 'object',
      properties: { title: { type: 'string' } },
    })
    expect(findings).toMatchObject({ isLoose: true, hasInheritedName: false })
  })
})
