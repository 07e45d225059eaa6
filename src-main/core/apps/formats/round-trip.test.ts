import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { jsonText } from '../../../../e2e/fixtures/host-texts/json-text'
import { tomlText } from '../../../../e2e/fixtures/host-texts/toml-text'
import { yamlText } from '../../../../e2e/fixtures/host-texts/yaml-text'
import { AppError } from '../../../../src-shared/domain/app-error'
import type { HostList, HostValue } from '../apps/host-app'
import { type HostDocument, loadSyntax, openHostDocument } from './host-document'

await loadSyntax('toml')
await loadSyntax('yaml')

type Syntax = HostList['syntax']
const KEYS = ['mcp']
const lists: Record<Syntax, HostList> = {
  json: { syntax: 'json', keys: KEYS, layout: 'map' },
  jsonc: { syntax: 'jsonc', keys: KEYS, layout: 'map' },
  toml: { syntax: 'toml', keys: KEYS, layout: 'map' },
  yaml: { syntax: 'yaml', keys: KEYS, layout: 'map' },
}
const texts: Record<Syntax, fc.Arbitrary<string>> = {
  json: jsonText({ comments: false }),
  jsonc: jsonText({ comments: true }),
  toml: tomlText(),
  yaml: yamlText(),
}
/** Texts that failed once. */
const EXAMPLES: Partial<Record<Syntax, [string, Readonly<Record<string, HostValue>>][]>> = {
  yaml: [['"a b": |+\n   kept\n\n\n\n# apart\n\n', { command: '' }]],
}
const COMMENT = /# said|# all|# about|# apart/gu
const syntaxes = Object.keys(lists) as Syntax[]

/** In ms: a busy machine tries fewer cases, and shrinking a counterexample is bounded. */
const BOUND = { interruptAfterTimeLimit: 8_000 }

/** Not part of any generated name or text. */
const OURS = 'patchbay'
const word = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 12 }), fc.string({ maxLength: 12 }))
const entry: fc.Arbitrary<Readonly<Record<string, HostValue>>> = fc.record({
  command: word,
  args: fc.array(word, { maxLength: 3 }),
  env: fc.dictionary(word, word, { maxKeys: 2, noNullPrototype: true }),
  on: fc.boolean(),
  timeout: fc.integer({ min: -9, max: 9_000 }),
})

/** Whether a text contains the characters of `part` in order. */
const isWithin = (part: string, text: string): boolean => {
  let at = 0
  for (const char of text) if (part.startsWith(char, at)) at += char.length
  return at === part.length
}

const others = (document: HostDocument): unknown =>
  document.entries.filter(({ name }) => name !== OURS)

describe.each(syntaxes)('D6: an entry in any text of %s', (syntax) => {
  const list = lists[syntax]

  it('is added and removed with everything else byte for byte', () => {
    fc.assert(
      fc.property(texts[syntax], entry, (text, value) => {
        const before = openHostDocument(text, list)
        const made = before.with(OURS, value)
        expect(made.entries.filter(({ name }) => name === OURS)).toEqual([{ name: OURS, value }])
        expect(others(made)).toEqual(others(before))
        expect(made.with(OURS, value).text).toBe(made.text)
        const after = made.without(OURS, before.gap)
        expect(after.text).toBe(text)
        if (before.entries.length > 0) expect(isWithin(text, made.text)).toBe(true)
        const bare = made.without(OURS)
        expect(others(bare)).toEqual(others(before))
        // No comment is lost on the way.
        for (const [comment] of text.matchAll(COMMENT)) expect(made.text).toContain(comment)
      }),
      { numRuns: 300, ...BOUND, examples: EXAMPLES[syntax] ?? [] },
    )
  })

  it('changes to another value and back', () => {
    fc.assert(
      fc.property(texts[syntax], entry, entry, (text, one, other) => {
        const made = openHostDocument(text, list).with(OURS, one)
        const changed = made.with(OURS, other)
        expect(changed.entries.find(({ name }) => name === OURS)?.value).toEqual(other)
        expect(others(changed)).toEqual(others(made))
        const back = changed.with(OURS, one)
        expect(back.value).toEqual(made.value)
      }),
      { numRuns: 100, ...BOUND },
    )
  })

  it('of another server is turned off and on, byte for byte, or removed alone', () => {
    fc.assert(
      fc.property(texts[syntax], fc.nat(), (text, pick) => {
        const before = openHostDocument(text, list)
        const { name, value } = before.entries[pick % Math.max(1, before.entries.length)] ?? {}
        if (name === undefined) return
        // In TOML, an entry may consist of subtables only: turning it off creates its own table, which stays.
        const members = Object.keys(value ?? {}).filter((key) => syntax !== 'toml' || key !== 'env')
        const off = before.withMember(name, 'disabled', true)
        const back = off.withMember(name, 'disabled', undefined)
        expect(back.value).toEqual(before.value)
        if (members.length > 0) expect(back.text).toBe(text)
        expect(
          off.withMember(name, 'disabled', false).withMember(name, 'disabled', true).text,
        ).toBe(off.text)
        const without = before.without(name)
        expect(without.entries).toEqual(before.entries.filter((other) => other.name !== name))
      }),
      { numRuns: 200, ...BOUND },
    )
  })

  it('is rejected only with HOST_FILE_BROKEN, whatever the text', () => {
    const pieces = fc.constantFrom(
      ...['{', '}', '[', ']', ':', ',', '=', '"', "'", '#', '//', '/*', '*/', '-', ' ', '\t', '\n'],
      ...[
        '\r\n',
        'a',
        '.',
        '&a ',
        '*a',
        '!t ',
        '|',
        '>',
        '? ',
        '- ',
        '1',
        'mcp',
        '"mcp"',
        'mcp:\n ',
      ],
      ...[
        '[mcp',
        '[[mcp]]',
        '"""',
        "'''",
        '\uFEFF',
        '\0',
        '---\n',
        '...',
        '%',
        '<<',
        '\\',
        '\uD800',
      ],
    )
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces, { maxLength: 40 }).map((list) => list.join('')),
      fc
        .tuple(texts[syntax], fc.nat(), fc.nat({ max: 9 }), pieces)
        .map(([text, at, length, piece]) => {
          const from = at % (text.length + 1)
          return text.slice(0, from) + piece + text.slice(from + length)
        }),
    )
    fc.assert(
      fc.property(hostile, (text) => {
        try {
          const opened = openHostDocument(text, list)
          opened.with(OURS, { command: 'x' }).without(OURS)
          for (const { name } of opened.entries) opened.without(name)
        } catch (error) {
          expect(error).toBeInstanceOf(AppError)
        }
      }),
      { numRuns: 500, ...BOUND },
    )
  })
})
