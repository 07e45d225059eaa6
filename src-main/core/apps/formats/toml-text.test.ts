import { describe, expect, it } from 'vitest'

import type { HostList } from '../apps/host-app'
import { loadSyntax, openHostDocument } from './host-document'

await loadSyntax('toml')
await loadSyntax('yaml')

const MAP: HostList = { syntax: 'toml', keys: ['mcp_servers'], layout: 'map' }
const LIST: HostList = { syntax: 'toml', keys: ['mcp_servers'], layout: 'list' }
const ENTRY = { command: '/opt/patch bay', args: ['--agent', 'a"1'], env: { A: '\u007F\n' } }
const OURS = String.raw`[mcp_servers.patchbay]
command = "/opt/patch bay"
args = ["--agent", "a\"1"]
env = { A = "\u007F\n" }`

describe('D6: TOML of an app', () => {
  it('creates the text of a missing file', () => {
    const made = openHostDocument('', MAP).with('patchbay', ENTRY)
    expect(made.text).toBe(`${OURS}\n`)
    expect(made.entries).toEqual([{ name: 'patchbay', value: ENTRY }])
    expect(made.without('patchbay', { levels: 1 }).text).toBe('')
  })

  it.each<[string, HostList, string, string]>([
    [
      'after the last table of its kind',
      MAP,
      '# mine\nmodel = "o"  # m\n\n[mcp_servers.a] # A\ncommand = \'x\'\nargs = [\n  "b", # B\n] # end\n# more of a\n\n# about next\n[next]\nd = 1979-05-27\n',
      '# mine\nmodel = "o"  # m\n\n[mcp_servers.a] # A\ncommand = \'x\'\nargs = [\n  "b", # B\n] # end\n# more of a\n\n[mcp_servers.p]\nn = 1\n\n# about next\n[next]\nd = 1979-05-27\n',
    ],
    [
      'before the comment of the next table',
      MAP,
      '[mcp_servers.a.env]\n  X = "1"\n# about next\n[next]\n',
      '[mcp_servers.a.env]\n  X = "1"\n\n[mcp_servers.p]\nn = 1\n# about next\n[next]\n',
    ],
    [
      'at the end of a text without tables and without a final line end',
      MAP,
      '\uFEFFx = 9007199254740993\r\n[a]\r\ny = inf # y',
      '\uFEFFx = 9007199254740993\r\n[a]\r\ny = inf # y\r\n\r\n[mcp_servers.p]\r\nn = 1',
    ],
    [
      'next to dotted keys',
      MAP,
      'mcp_servers."a b".command = "x"\n\n\n',
      'mcp_servers."a b".command = "x"\n\n[mcp_servers.p]\nn = 1\n\n\n',
    ],
    [
      'into an inline table',
      MAP,
      'mcp_servers = { a = { command = "x" } } # all\n',
      'mcp_servers = { a = { command = "x" }, p = { n = 1 } } # all\n',
    ],
    ['into an empty inline table', MAP, 'mcp_servers = {}\n', 'mcp_servers = { p = { n = 1 } }\n'],
    [
      'into an array of tables',
      LIST,
      '[[mcp_servers]]\nname = "a"\n[mcp_servers.env]\nX = "1"\n\n[z]\n',
      '[[mcp_servers]]\nname = "a"\n[mcp_servers.env]\nX = "1"\n\n[[mcp_servers]]\nname = "p"\nn = 1\n\n[z]\n',
    ],
    [
      'into an inline array',
      LIST,
      'mcp_servers = [\n  { name = "a" }, # A\n]\n',
      'mcp_servers = [\n  { name = "a" }, # A\n  { name = "p", n = 1 },\n]\n',
    ],
  ])('adds an entry %s and removes it again, byte for byte', (_, list, text, wanted) => {
    const made = openHostDocument(text, list).with('p', { n: 1 })
    expect(made.text).toBe(wanted)
    expect(made.with('p', { n: 1 }).text).toBe(wanted)
    expect(made.without('p').text).toBe(text)
  })

  it('removes an entry of an inline array with its line and comment only', () => {
    const text = 'mcp_servers = [\n  { name = "a" }, # A\n  { name = "b" } # B\n]\n'
    const opened = openHostDocument(text, LIST)
    expect(opened.without('a').text).toBe(text.replace('  { name = "a" }, # A\n', ''))
    expect(opened.without('b').text).toBe('mcp_servers = [\n  { name = "a" } # A\n]\n')
  })

  it('removes an entry with all of its parts and nothing else', () => {
    const text = `# top
mcp_servers.dotted.command = "d"
mcp_servers.dotted.env.A = "1" # A
mcp_servers.other.command = "o"

# about a
[mcp_servers.'a b'] # here
command = "x"
# within
args = []

[mcp_servers."a b".env]
B = "2"

# about z
[z]

[mcp_servers."a b".more.env]
C = 3
`
    const opened = openHostDocument(text, MAP)
    expect(opened.entries.map(({ name }) => name)).toEqual(['dotted', 'other', 'a b'])
    expect(opened.without('a b').text).toBe(`# top
mcp_servers.dotted.command = "d"
mcp_servers.dotted.env.A = "1" # A
mcp_servers.other.command = "o"

# about a

# about z
[z]
`)
    expect(opened.without('dotted').text).toBe(text.replace(/mcp_servers\.dotted.*\n/gu, ''))
  })

  it.each<[string, string, string]>([
    [
      'a table',
      '[mcp_servers.a]\n\tcommand = "x" # X\n\n[z]\n',
      '[mcp_servers.a]\n\tcommand = "x" # X\n\tenabled = false\n\n[z]\n',
    ],
    [
      'a table with subtables',
      '[mcp_servers.a]\n[mcp_servers.a.env]\nX = 1',
      '[mcp_servers.a]\nenabled = false\n[mcp_servers.a.env]\nX = 1',
    ],
    [
      'dotted keys',
      '[mcp_servers]\n"a" . command = "x"\nb.command = "y"\n',
      '[mcp_servers]\n"a" . command = "x"\n"a".enabled = false\nb.command = "y"\n',
    ],
    [
      'a table that ends with a zero',
      '[mcp_servers.a]\ntimeout = 0',
      '[mcp_servers.a]\ntimeout = 0\nenabled = false',
    ],
    ['braces', 'mcp_servers.a = {command="x"}', 'mcp_servers.a = {command="x", enabled = false}'],
  ])('sets a member of an entry in %s and removes it again', (_, text, wanted) => {
    const off = openHostDocument(text, MAP).withMember('a', 'enabled', false)
    expect(off.text).toBe(wanted)
    expect(off.withMember('a', 'enabled', true).text).toBe(wanted.replace('false', 'true'))
    expect(off.withMember('a', 'enabled', undefined).text).toBe(text)
  })

  it('changes only the members that differ', () => {
    const text = `[mcp_servers.a]
command = "x" # why
args = ["1"] # args
old = true

[mcp_servers.a.env]
A = "1"
`
    expect(
      openHostDocument(text, MAP).with('a', { command: 'x', args: ['2'], env: { B: '2' } }).text,
    ).toBe(`[mcp_servers.a]
command = "x" # why
args = ["2"] # args

[mcp_servers.a.env]
B = "2"
`)
  })

  it('changes a zero at the very end', () => {
    const opened = openHostDocument('[mcp_servers.a]\ntimeout = 0', MAP)
    expect(opened.withMember('a', 'timeout', 5).text).toBe('[mcp_servers.a]\ntimeout = 5')
  })

  it('returns dates and numbers unknown to JSON as their text', () => {
    const text = 'a = 1979-05-27T07:32:00Z\nb = nan\nc = 9007199254740993\nd = 1_0.5\ne = 0x10'
    expect(openHostDocument(text, MAP).value).toEqual({
      a: '1979-05-27T07:32:00Z',
      b: 'nan',
      c: '9007199254740993',
      d: 10.5,
      e: 16,
    })
  })

  it.each<[string, HostList, string, string]>([
    ['a repeated key', MAP, 'a = 1\n a = 2', 'Line 2, column 2: Defining a key'],
    ['a truncated table', MAP, '\n[a', 'Line 2, column 3: Unterminated table-key.'],
    [
      'a list instead of entries',
      MAP,
      'x = 1\n[[mcp_servers]]\n',
      'Line 2, column 1: “mcp_servers” is an array, but an object of entries is expected.',
    ],
    ['deep nesting', MAP, `a = ${'['.repeat(99)}${']'.repeat(99)}`, 'Nested more than 60'],
    [
      'deeply nested keys',
      MAP,
      `a${'.a'.repeat(50_000)} = 1`,
      'Line 1, column 1: Nested more than 60',
    ],
    ['a long string', MAP, `a = "${'x'.repeat(400_000)}"`, 'A string in the file is too long'],
    ['a text that is too long', MAP, '\n'.repeat(500_001), 'The file is larger than 0.5 MB.'],
  ])('rejects %s with its position', (_, list, text, message) => {
    expect(() => openHostDocument(text, list)).toThrow(
      expect.objectContaining({
        code: 'HOST_FILE_BROKEN',
        message: expect.stringContaining(message) as string,
      }),
    )
  })

  it('edits no entry of dotted keys in an inline table', () => {
    const text = 'mcp_servers = { a.command = "x", b.command = "y" }\n'
    const message = 'Line 1, column 17: Dotted keys in inline tables can’t be edited.'
    const opened = openHostDocument(text, MAP)
    expect(() => opened.without('a')).toThrow(message)
    expect(() => opened.withMember('a', 'off', true)).toThrow(message)
  })
})
