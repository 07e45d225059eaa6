import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { Tool } from '../../../../src-shared/domain/agents/capability'
import { canonicalJson, definitionHash } from './definition-identity'

const TOOL: Tool = {
  name: 'read_file',
  title: 'Read a file',
  description: 'Reads a file as text.',
  inputSchema: {
    type: 'object',
    properties: { path: { type: 'string', description: 'Where it is.' }, lines: { enum: [1, 2] } },
  },
  outputSchema: { type: 'object' },
  annotations: { title: 'Read', readOnlyHint: true },
}

/** Returns the same value with the keys of every object in reverse order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, one]) => [key, reversed(one)]),
  )
}

describe('The hash of a tool', () => {
  it('does not depend on key order, and is the same after a round trip through JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = canonicalJson(value)
        // V8 13.6 sometimes reads an escaped single-character key as a backslash.
        fc.pre(!/"\\(?:[^u]|u[\da-f]{4})":/u.test(text))
        expect(canonicalJson(reversed(value))).toBe(text)
        // JSON has no -0.
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
        expect(canonicalJson(JSON.parse(text))).toBe(text)
      }),
      { numRuns: 500 },
    )
  })

  it('serializes numbers, texts and lone surrogates by RFC 8785', () => {
    const value = { z: [1e21, 0.1, -0, 1], 'a"\u0007': '€\ud800', 10: null, 9: true, ä: {} }
    expect(canonicalJson(value)).toBe(
      String.raw`{"10":null,"9":true,"a\"\u0007":"€\ud800","z":[1e+21,0.1,0,1],"ä":{}}`,
    )
  })

  it.each<[string, Partial<Tool>]>([
    ['its name', { name: 'read_files' }],
    ['its title', { title: 'Read' }],
    ['no title', { title: undefined }],
    ['a space in its description', { description: 'Reads a file as text. ' }],
    ['a zero-width space in its description', { description: 'Reads a file\u200B as text.' }],
    ['an invisible tag in its description', { description: 'Reads a file as text.\u{E0041}' }],
    ['the order of choices', { inputSchema: { ...input({ lines: { enum: [2, 1] } }) } }],
    ['a word in a schema', { inputSchema: input({ path: { type: 'string', description: 'W' } }) }],
    ['a key of the prototype', { inputSchema: JSON.parse('{"__proto__": {"a": 1}}') as unknown }],
    ['no output schema', { outputSchema: undefined }],
    ['metadata that only some clients read', { _meta: { 'example.com/note': 'Call me first.' } }],
    ['an icon', { icons: [{ src: 'https://example.com/icon.png' }] }],
    ['its execution', { execution: { taskSupport: 'optional' } }],
    ['an unknown field', { notes: 'Call me first.' }],
    ['an annotation', { annotations: { title: 'Read', readOnlyHint: false } }],
  ])('changes with %s', (_, change) => {
    expect(definitionHash({ ...TOOL, ...change })).not.toBe(definitionHash(TOOL))
  })

  it('is unchanged for an approved tool with the usual fields only', () => {
    expect(definitionHash(TOOL)).toBe(
      '41fc229afac8b4c90ab4d534b190bf883bc9757e9525f1edd32ed8616d26d693',
    )
  })
})

function input(properties: object): Record<string, unknown> {
  return { ...(TOOL.inputSchema as object), properties }
}
