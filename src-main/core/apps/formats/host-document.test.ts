import { describe, expect, it } from 'vitest'

import { AppError } from '../../../../src-shared/domain/app-error'
import type { HostList } from '../apps/host-app'
import { loadSyntax, openHostDocument } from './host-document'

await loadSyntax('toml')
await loadSyntax('yaml')

const ENTRY = { command: '/opt/patchbay', args: ['bridge', '--agent', 'a1'] }
const LISTS = {
  json: { syntax: 'json', keys: ['mcpServers'], layout: 'map' },
  jsonc: { syntax: 'jsonc', keys: ['mcp', 'servers'], layout: 'map' },
  jsonList: { syntax: 'json', keys: ['servers'], layout: 'list' },
} satisfies Record<string, HostList>

const broken = (text: string, list: HostList): AppError => {
  try {
    openHostDocument(text, list)
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('was read')
}

describe('D6: JSON of an app', () => {
  it('creates the text of a missing file', () => {
    const made = openHostDocument('', LISTS.json).with('patchbay', ENTRY)
    expect(made.text).toBe(`{
  "mcpServers": {
    "patchbay": {
      "command": "/opt/patchbay",
      "args": [
        "bridge",
        "--agent",
        "a1"
      ]
    }
  }
}
`)
    expect(made.entries).toEqual([{ name: 'patchbay', value: ENTRY }])
  })

  it.each<[string, HostList, string, string]>([
    [
      'after the comment of the last entry',
      LISTS.jsonc,
      '// mine\n{\n\t"mcp": {\n\t\t"servers": {\n\t\t\t"a": { "command": "x" } // A\n\n\t\t} // end\n\t}\n}',
      '// mine\n{\n\t"mcp": {\n\t\t"servers": {\n\t\t\t"a": { "command": "x" }, // A\n\t\t\t"p": {\n\t\t\t\t"n": 1\n\t\t\t}\n\n\t\t} // end\n\t}\n}',
    ],
    [
      'with a trailing comma if the others have one',
      LISTS.jsonc,
      '{\r\n  "mcp": {"servers": {\r\n     "a": {},\r\n  }}\r\n}',
      '{\r\n  "mcp": {"servers": {\r\n     "a": {},\r\n     "p": {\r\n       "n": 1\r\n     },\r\n  }}\r\n}',
    ],
    [
      'on a single line',
      LISTS.json,
      '\uFEFF{"a": [1], "mcpServers": {"a": {}}}',
      '\uFEFF{"a": [1], "mcpServers": {"a": {}, "p": {"n":1}}}',
    ],
    [
      'into an empty list',
      LISTS.json,
      '{\n    "mcpServers": {},\n    "x": 1e2\n}\n',
      '{\n    "mcpServers": {\n        "p": {\n            "n": 1\n        }\n    },\n    "x": 1e2\n}\n',
    ],
    [
      "after a closing brace that ends the last entry's line",
      LISTS.json,
      '{\n  "mcpServers": {\n    "a": {}}}',
      '{\n  "mcpServers": {\n    "a": {},\n    "p": {\n      "n": 1\n    }}}',
    ],
    [
      'into an array of named entries',
      LISTS.jsonList,
      '{\n "servers": [\n  { "name": "a" }\n ]\n}',
      '{\n "servers": [\n  { "name": "a" },\n  {\n   "name": "p",\n   "n": 1\n  }\n ]\n}',
    ],
  ])('adds an entry %s and removes it again, byte for byte', (_, list, text, wanted) => {
    const made = openHostDocument(text, list).with('p', { n: 1 })
    expect(made.text).toBe(wanted)
    expect(made.with('p', { n: 1 }).text).toBe(wanted)
    expect(made.without('p').text).toBe(text)
  })

  it('keeps the comments around a removed entry', () => {
    const text = `{"mcp": {"servers": {
  // about a
  "a": {"x": 1}, // of a
  /* about b */ "b": {}, "c": {} // of c
}}}`
    const opened = openHostDocument(text, LISTS.jsonc)
    expect(opened.without('a').text).toBe(`{"mcp": {"servers": {
  // about a
  /* about b */ "b": {}, "c": {} // of c
}}}`)
    expect(opened.without('b').text).toContain('  /* about b */ "c": {} // of c\n')
    expect(opened.without('c').text).toContain('  /* about b */ "b": {} // of c\n')
  })

  it('changes only the members that differ', () => {
    const text = `{"mcp": {"servers": {"a": {
  "command": "x", // why
  "env": { "A": "1" }, /* gone */
  "on":   true
}}}}`
    const opened = openHostDocument(text, LISTS.jsonc)
    expect(opened.with('a', { command: 'y', on: true }).text).toBe(`{"mcp": {"servers": {"a": {
  "command": "y", // why
  "on":   true
}}}}`)
    const off = opened.withMember('a', 'on', false)
    expect(off.text).toBe(text.replace('  true', '  false'))
    expect(off.withMember('a', 'on', true).text).toBe(text)
    const more = opened.withMember('a', 'disabled', true)
    expect(more.text).toBe(text.replace('true', 'true,\n  "disabled": true'))
    expect(more.withMember('a', 'disabled', undefined).text).toBe(text)
  })

  it('removes the levels that were created for an entry', () => {
    const text = '{\n  "a": 1\n}\n'
    const opened = openHostDocument(text, LISTS.jsonc)
    const made = opened.with('p', ENTRY)
    expect(opened.gap).toEqual({ levels: 2 })
    expect(made.without('p', { levels: 1 }).text).toBe('{\n  "a": 1,\n  "mcp": {}\n}\n')
    expect(made.without('p', { levels: 2 }).text).toBe(text)
    const beside = made.with('q', ENTRY)
    expect(beside.without('p', { levels: 2, vacant: 'null' }).text).toBe(beside.without('p').text)
  })

  it('uses the last of several entries with the same name, and edits none of them', () => {
    const opened = openHostDocument('{"mcpServers": {"a": {"n": 1},\n "a": {"n": 2}}}', LISTS.json)
    expect(opened.entries).toEqual([{ name: 'a', value: { n: 2 } }])
    expect(() => opened.without('a')).toThrow('Line 2, column 2: Duplicate key “a”.')
    expect(() => opened.withMember('a', 'off', true)).toThrow(AppError)
    expect(opened.with('b', { n: 3 }).text).toBe(
      '{"mcpServers": {"a": {"n": 1},\n "a": {"n": 2}, "b": {"n":3}}}',
    )
  })

  it('sets no member on an entry without members', () => {
    const opened = openHostDocument('{"mcpServers": {"a": 1}}', LISTS.json)
    expect(() => opened.withMember('a', 'off', true)).toThrow(
      'Line 1, column 22: “a” isn’t an object.',
    )
    expect(() => opened.withMember('b', 'off', true)).toThrow('The file has no entry “b”')
    expect(opened.with('a', { n: 1 }).text).toBe('{"mcpServers": {"a": {"n":1}}}')
  })

  it('reads entries with any name in order', () => {
    const text = '{"mcpServers": {"z": {}, "1": {}, "__proto__": {"x": 1}, "constructor": {}}}'
    const opened = openHostDocument(text, LISTS.json)
    expect(opened.entries.map(({ name }) => name)).toEqual(['z', '1', '__proto__', 'constructor'])
    expect(opened.without('__proto__').text).toBe(text.replace('"__proto__": {"x": 1}, ', ''))
    expect(opened.without('toString').text).toBe(text)
  })

  it('reads and keeps syntax that the app may not support, and names it', () => {
    const text = '{\n  "mcpServers": {\n    // mine\n    "a": {}, /* "old": {}, */\n  }\n}\n'
    const opened = openHostDocument(text, LISTS.json)
    expect(opened.entries.map(({ name }) => name)).toEqual(['a'])
    expect(opened.extras).toEqual(['comments', 'trailing commas'])
    const changed = opened.with('b', {})
    expect(changed.text).toBe(text.replace('*/\n', '*/\n    "b": {},\n'))
    expect(changed.without('b').text).toBe(text)
    expect(openHostDocument(text, { ...LISTS.json, syntax: 'jsonc' }).extras).toEqual([])
    expect(openHostDocument('{"a": 1,\n}', LISTS.json).extras).toEqual(['trailing commas'])
  })

  it.each<[string, HostList, string, string]>([
    ['a truncated text', LISTS.jsonc, '{"a": {', 'Line 1, column 8: Expected a closing brace'],
    ['text after the end', LISTS.jsonc, '{}\n{}', 'Line 2, column 1: Expected the end'],
    ['a list as root', LISTS.json, ' []', 'Line 1, column 2: The file is an array'],
    [
      'a list instead of entries',
      LISTS.jsonc,
      '{"mcp": {\n"servers": [1]}}',
      'Line 2, column 12: “mcp.servers” is an array, but an object of entries is expected.',
    ],
    [
      'entries instead of a list',
      LISTS.jsonList,
      '{"servers": {}}',
      'Line 1, column 13: “servers” is an object, but an array of entries is expected.',
    ],
    ['deep nesting', LISTS.json, '['.repeat(100_000), 'Line 1, column 61: Nested more than'],
  ])('rejects %s with its position', (_, list, text, message) => {
    const error = broken(text, list)
    expect(error.code).toBe('HOST_FILE_BROKEN')
    expect(error.message).toContain(message)
  })
})
