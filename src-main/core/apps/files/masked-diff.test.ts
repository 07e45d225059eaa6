import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { cpuMsOf } from '../../../../e2e/fixtures/cpu-time'
import type { HostList } from '../apps/host-app'
import { loadSyntax, openHostDocument } from '../formats/host-document'
import { maskedDiff } from './masked-diff'

await loadSyntax('toml')
await loadSyntax('yaml')

const LIST: HostList = { syntax: 'jsonc', keys: ['servers'], layout: 'map' }
const open = (text: string): ReturnType<typeof openHostDocument> => openHostDocument(text, LIST)
const textOf = (lines: readonly { readonly text: string }[]): string =>
  lines.map(({ text }) => text).join('\n')

/** The diff of adding an entry to a text. */
function shown(text: string): string {
  const before = open(text)
  return textOf(maskedDiff(before, before.with('new', { command: 'x' })))
}

const entry = (members: string): string => `{\n  "servers": {\n    "a": ${members}\n  }\n}\n`

describe('D6: the diff of a change', () => {
  it('shows the changed lines with three lines of context, numbered as in their text', () => {
    const rest = Array.from({ length: 20 }, (_, index) => `  "k${String(index)}": 0,`).join('\n')
    const before = open(`{\n${rest}\n  "servers": {\n    "a": { "command": "b" }\n  }\n}\n`)
    const lines = maskedDiff(before, before.without('a'))
    expect(lines.filter(({ kind }) => kind !== 'same').map(({ line }) => line)).toContain(23)
    expect(lines.filter(({ kind }) => kind === 'same').length).toBeLessThanOrEqual(6)
    expect(lines[0]?.line).toBeGreaterThanOrEqual(19)
    expect(textOf(lines)).not.toContain('k5')
  })

  it('shows every line of a file that is created or deleted', () => {
    const made = open('').with('new', { command: 'x' })
    const kinds = (lines: readonly { kind: string }[]): string[] => [
      ...new Set(lines.map(({ kind }) => kind)),
    ]
    expect(kinds(maskedDiff(undefined, made))).toEqual(['added'])
    expect(kinds(maskedDiff(made, undefined))).toEqual(['removed'])
    expect(maskedDiff(made, made)).toEqual([])
  })

  it.each([
    ['a variable', '{ "env": { "API_KEY": "hunter2hunter2" } }', 'hunter2hunter2'],
    ['a short secret', '{ "env": { "PASSWORD": "abc" } }', '"abc"'],
    ['a number', '{ "env": { "TOKEN": 123987 } }', '123987'],
    ['a header', '{ "headers": { "Authorization": "Bearer qwertzuiop" } }', 'qwertzuiop'],
    ['the value after a flag', '{ "args": ["--api-key", "qwertzuiop"] }', 'qwertzuiop'],
    ['a password in an address', '{ "args": ["postgres://u:qwertz@h/d"] }', 'qwertz'],
    [
      'a key recognized by its format',
      '{ "args": ["ghp_abcdefghijklmnopqrstuvwxyz"] }',
      'ghp_abcdef',
    ],
    ['values below a secret', '{ "auth": { "more": { "x": "qwertzuiop" } } }', 'qwertzuiop'],
    ['a secret with escapes', String.raw`{ "env": { "API_KEY": "hun\"ter\u0032x" } }`, 'hun'],
    ['a secret written in escapes', String.raw`{ "args": ["--token", "h\u0075nter2x"] }`, 'nter2x'],
    [
      'a secret in a comment',
      '{ /* ghp_abcdefghijklmnopqrstuvwxyz */ "command": "b" }',
      'ghp_abcdef',
    ],
    [
      'a secret on its own line',
      '{\n // API_KEY: qwertzuiop\n "API_KEY": "qwertzuiop" }',
      'qwertz',
    ],
  ])('shows no secret: %s', (_, members, secret) => {
    const text = shown(entry(members))
    expect(text).toContain('"new"')
    expect(text).not.toContain(secret)
    expect(text).toContain('••••••')
  })

  it("shows no value of a variable with a secret's name", () => {
    const value = fc.string({ unit: 'grapheme', minLength: 7, maxLength: 40 })
    fc.assert(
      fc.property(value, fc.constantFrom('env', 'headers'), fc.boolean(), (secret, key, isWide) => {
        fc.pre(secret.trim().length >= 7 && !'"servers command new"'.includes(secret.trim()))
        const members = { command: 'b', [key]: { MY_API_KEY: secret } }
        const text = JSON.stringify({ servers: { a: members } }, null, isWide ? 2 : 0)
        expect(shown(text)).not.toContain(JSON.stringify(secret).slice(1, -1))
      }),
    )
  })

  it.each([
    {
      syntax: 'yaml',
      text: 'servers:\n  a:\n    cmd: x\n    envs:\n      API_KEY: "abcdefgh\\\n        ijklmnop"\n',
    },
    {
      syntax: 'toml',
      text: '[servers.a]\ncommand = "x"\nargs = ["--token", """abcdefgh\\\n   ijklmnop"""]\n',
    },
  ] as const)(
    'shows no part of a secret that $syntax splits over two lines',
    ({ syntax, text }) => {
      const before = openHostDocument(text, { ...LIST, syntax })
      const seen = textOf(maskedDiff(before, before.with('new', { command: 'y' })))
      expect(seen).not.toMatch(/abcd|efgh|ijkl|mnop/u)
      expect(seen).toContain('••••••')
    },
  )

  it('leaves everything else readable', () => {
    const text = shown(
      entry(String.raw`{ "command": "C:\\Program Files\\n.exe", "args": ["-y", "pkg"] }`),
    )
    expect(text).toContain(String.raw`C:\\Program Files\\n.exe`)
    expect(text).not.toContain('••••••')
  })

  it('leaves spaces readable if a secret is blank', () => {
    const text = shown(entry('{ "command": "a b", "env": { "API_KEY": " " } }'))
    expect(text).toContain('"command": "a b"')
  })

  it('leaves folded lines readable that have no part of a secret', () => {
    const lines = 'args = ["--token", "qwertzuiop"]\ntext = """one \\\n  two"""'
    const before = openHostDocument(`[servers.a]\ncommand = "x"\n${lines}\n`, {
      ...LIST,
      syntax: 'toml',
    })
    const seen = textOf(maskedDiff(before, before.with('new', { command: 'y' })))
    expect(seen).toContain('text = """one \\\n  two"""')
    expect(seen).not.toContain('qwertzuiop')
  })

  it('truncates long unchanged lines at their start', () => {
    const long = 'x'.repeat(3_000)
    const text = (name: string): string =>
      `{\n"k0": "${long}",\n"${name}": "${long}",\n"servers": {}\n}\n`
    const [, first] = maskedDiff(open(text('k0')), open(text('k0-changed')))
    expect(first?.kind).toBe('same')
    expect(first?.text).toMatch(/^"k0": "x/u)
    expect(first?.text.length).toBeLessThan(500)
  })

  it('truncates long lines around what changed', () => {
    const filler = Array.from({ length: 3_000 }, (_, index) => `"k${String(index)}":1`).join(',')
    const lines = maskedDiff(
      open(`{${filler},"servers":{"a":{"command":"b"}}}`),
      open(`{${filler},"servers":{"a":{"command":"b"},"new":{"command":"x"}}}`),
    )
    expect(lines.map(({ kind }) => kind)).toEqual(['removed', 'added'])
    for (const { text } of lines) expect(text.length).toBeLessThan(500)
    expect(lines[1]?.text).toContain('"new"')
    expect(lines[1]?.text).toMatch(/^… \d+ characters … /)
  })

  it('takes no quadratic time for a hostile text', () => {
    const hostile = [
      ' '.repeat(300_000),
      '-'.repeat(300_000),
      'a.'.repeat(150_000),
      '"\\'.repeat(9),
    ]
    for (const text of hostile) {
      const took = cpuMsOf(() => {
        const before = open(`{ "servers": {}, "x": ${JSON.stringify(text)} }`)
        expect(maskedDiff(before, before.with('new', { command: 'x' })).length).toBeGreaterThan(0)
      })
      expect(took).toBeLessThan(10_000)
    }
  })
})
