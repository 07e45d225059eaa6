import { inspect } from 'node:util'

import { describe, expect, it } from 'vitest'

import type { HostList } from '../apps/host-app'
import { loadSyntax, openHostDocument } from './host-document'

await loadSyntax('toml')
await loadSyntax('yaml')

const MAP: HostList = { syntax: 'yaml', keys: ['extensions'], layout: 'map' }
const LIST: HostList = { syntax: 'yaml', keys: ['mcpServers'], layout: 'list' }
const ENTRY = { cmd: '/opt/patch bay', args: ['--agent', 'yes', 'a: 1'], env: { A: '\u0085\n' } }

describe('D6: YAML of an app', () => {
  it('creates the text of a missing file', () => {
    const made = openHostDocument('', MAP).with('patchbay', ENTRY)
    expect(made.text).toBe(String.raw`extensions:
  patchbay:
    cmd: /opt/patch bay
    args:
      - --agent
      - "yes"
      - "a: 1"
    env:
      A: "\u0085\n"
`)
    expect(made.entries).toEqual([{ name: 'patchbay', value: ENTRY }])
    expect(made.without('patchbay', { levels: 1 }).text).toBe('')
  })

  it.each<[string, HostList, string, string]>([
    [
      'after the last one and the comment below it',
      MAP,
      '# mine\nextensions: # all\n    a: # A\n        cmd: x # X\n        # more of a\n\n# about b\nb:   1\n',
      '# mine\nextensions: # all\n    a: # A\n        cmd: x # X\n        # more of a\n    p:\n        x: 1\n\n# about b\nb:   1\n',
    ],
    [
      'after a block scalar',
      MAP,
      '\uFEFFextensions:\r\n  a:\r\n    x: |+\r\n      y\r\n\r\n\r\nz: 1',
      '\uFEFFextensions:\r\n  a:\r\n    x: |+\r\n      y\r\n\r\n\r\n  p:\r\n    x: 1\r\nz: 1',
    ],
    [
      'into an empty map',
      MAP,
      'a: 1\nextensions: {} # none\nz: 1\n',
      'a: 1\nextensions: # none\n  p:\n    x: 1\nz: 1\n',
    ],
    [
      'into a flow map',
      MAP,
      'extensions: { a: {x: 1}, "b": { y: [1, 2] } }\n',
      'extensions: { a: {x: 1}, "b": { y: [1, 2] }, p: { x: 1 } }\n',
    ],
    [
      'into a flow map with a trailing comma',
      MAP,
      'extensions: {\n  a: {x: 1}, # A\n}\n',
      'extensions: {\n  a: {x: 1}, # A\n  p: { x: 1 },\n}\n',
    ],
    [
      'into a list indented like its key',
      LIST,
      'mcpServers:\n- name: a\n  args:\n  - b\nz: 1\n',
      'mcpServers:\n- name: a\n  args:\n  - b\n- name: p\n  x: 1\nz: 1\n',
    ],
    [
      'into a list at the end of the text',
      LIST,
      '---\nmcpServers:\n   - name: a',
      '---\nmcpServers:\n   - name: a\n   - name: p\n     x: 1',
    ],
    ['into an empty list', LIST, 'mcpServers: []\n', 'mcpServers:\n  - name: p\n    x: 1\n'],
  ])('adds an entry %s and removes it again, byte for byte', (_, list, text, wanted) => {
    const made = openHostDocument(text, list).with('p', { x: 1 })
    expect(made.text).toBe(wanted)
    expect(made.with('p', { x: 1 }).text).toBe(wanted)
    expect(made.without('p').text).toBe(text)
  })

  it('treats a key without a value as an empty list', () => {
    const made = openHostDocument('extensions: # none\n', MAP).with('p', { x: 1 })
    expect(made.text).toBe('extensions: # none\n  p:\n    x: 1\n')
    expect(made.without('p').text).toBe('extensions: {} # none\n')
  })

  it('removes an entry and leaves the comments around it', () => {
    const text = `extensions:
  # about a
  a: { x: 1 } # A

  # about b
  b:
    # within
    x: >-
      1
  # below b
  c: 3
`
    const opened = openHostDocument(text, MAP)
    expect(opened.without('b').text).toBe(`extensions:
  # about a
  a: { x: 1 } # A

  # about b
  # below b
  c: 3
`)
    expect(opened.without('a').text).toBe(text.replace('  a: { x: 1 } # A\n', ''))
  })

  it('removes an entry of a flow map with its line and comment only', () => {
    const text =
      'extensions: {\n  # about a\n  a: {x: 1}, # A\n  b: {x: 2}, # B\n  c: {x: 3} # C\n}\n'
    const opened = openHostDocument(text, MAP)
    expect(opened.without('a').text).toBe(text.replace('  a: {x: 1}, # A\n', ''))
    expect(opened.without('b').text).toBe(text.replace('  b: {x: 2}, # B\n', ''))
    expect(opened.without('c').text).toBe(
      text.replace('  c: {x: 3} # C\n', '').replace('2}, # B', '2} # B'),
    )
    const late = openHostDocument('extensions: {a: {x: 1} # A\n  , b: {x: 2}\n}\n', MAP)
    expect(late.without('a').text).toBe('extensions: { # A\n   b: {x: 2}\n}\n')
  })

  it('changes only the members that differ', () => {
    const text = `extensions:
  a:
    enabled: true # on
    args:
      - "1" # one
    env: {A: 1}
    cmd: x
`
    const opened = openHostDocument(text, MAP)
    const off = opened.withMember('a', 'enabled', false)
    expect(off.text).toBe(text.replace('true', 'false'))
    expect(off.withMember('a', 'enabled', true).text).toBe(text)
    const more = opened.withMember('a', 'timeout', 300)
    expect(more.text).toBe(`${text}    timeout: 300\n`)
    expect(more.withMember('a', 'timeout', undefined).text).toBe(text)
    expect(opened.with('a', { enabled: true, args: ['2', '3'], cmd: 'x', env: {} }).text)
      .toBe(`extensions:
  a:
    enabled: true # on
    args:
      - "2"
      - "3" # one
    env: {}
    cmd: x
`)
  })

  it('keeps the line end of a block scalar', () => {
    const text = 'extensions:\n  a: |+\n    x\n\n  b: 1'
    expect(openHostDocument(text, MAP).without('b').text).toBe(text.replace('  b: 1', ''))
    const more = openHostDocument(`${text}\n\n\nz: 1\n`, MAP)
    expect(more.without('b').text).toBe('extensions:\n  a: |+\n    x\n\nz: 1\n')
  })

  it('replaces no value with an anchor inside, on which another entry depends', () => {
    const text = 'extensions:\n  a:\n    cmd: x\n    env:\n      K: &e v\n  b: *e\n'
    expect(() => openHostDocument(text, MAP).with('a', { cmd: 'x', env: 'y' })).toThrow(
      'Line 5, column 13: An anchor or alias can’t be edited here.',
    )
  })

  it('removes the first member of a list entry, unless a comment follows it', () => {
    const text = (comment: string): string =>
      `mcpServers:\n  - off: true${comment}\n    name: a\n    command: x\n`
    const wanted = { name: 'a', command: 'x' }
    expect(openHostDocument(text(''), LIST).with('a', wanted).text).toBe(
      'mcpServers:\n  - name: a\n    command: x\n',
    )
    expect(() => openHostDocument(text(' # mine'), LIST).with('a', wanted)).toThrow(
      'Line 2, column 5: A comment prevents removing this entry.',
    )
  })

  it('edits nothing that an anchor shares', () => {
    const text = `base: &base
  x: 1
extensions:
  a: *base
  b: &b { y: 1 }
  c: { z: *b }
`
    const opened = openHostDocument(text, MAP)
    expect(opened.entries).toEqual([
      { name: 'a', value: { x: 1 } },
      { name: 'b', value: { y: 1 } },
      { name: 'c', value: { z: { y: 1 } } },
    ])
    expect(() => opened.withMember('a', 'off', true)).toThrow('Line 4, column 6: An anchor')
    expect(() => opened.withMember('b', 'off', true)).toThrow('Line 5, column 9: An anchor')
    expect(() => opened.without('b')).toThrow('Line 5, column 9: An anchor')
    expect(opened.without('a').text).toBe(text.replace('  a: *base\n', ''))
    expect(opened.without('c').text).toBe(text.replace('  c: { z: *b }\n', ''))
  })

  it.each<[string, HostList, string, string]>([
    ['a repeated key', MAP, 'a: 1\nb: 1\n"a": 2', 'Line 3, column 1: Duplicate key “a”'],
    ['a tab as indentation', MAP, 'a:\n\tb: 1', 'Line 2, column 1: '],
    ['a second document', MAP, 'a: 1\n---\nb: 1\n', 'Line 2, column 1: Only one YAML document'],
    [
      'a list instead of entries',
      MAP,
      'x: 1\nextensions:\n  - a',
      'Line 3, column 3: “extensions” is an array, but an object of entries is expected.',
    ],
    [
      'endlessly growing aliases',
      MAP,
      `a0: &a0 [1, 1]\n${Array.from({ length: 40 }, (_, at) => `a${String(at + 1)}: &a${String(at + 1)} [*a${String(at)}, *a${String(at)}]\n`).join('')}`,
      'Aliases expand to too much',
    ],
    ['an alias of itself', MAP, 'a: &a [*a]', 'Nested more than 60 levels deep.'],
    ['an undefined alias', MAP, 'a: *b', 'Line 1, column 4: '],
    ['deeply nested brackets', MAP, `a: ${'['.repeat(10_000)}`, 'Nested more than 60 levels deep.'],
    ['deeply nested dashes', MAP, '- '.repeat(10_000), 'Nested more than 60 levels deep.'],
    ['a text that is too long', MAP, '\n'.repeat(250_001), 'The file is larger than 0.25 MB.'],
  ])('rejects %s with its position', (_, list, text, message) => {
    expect(() => openHostDocument(text, list)).toThrow(
      expect.objectContaining({
        code: 'HOST_FILE_BROKEN',
        message: expect.stringContaining(message) as string,
      }),
    )
  })
})

describe('D6: the error for invalid YAML', () => {
  it('says that nothing was written if the edited text can’t be verified', () => {
    // One entry more than can be parsed.
    const text = `${'\n'.repeat(249_990)}a: 1\n`
    expect(() => openHostDocument(text, MAP).with('p', { x: 1 })).toThrow(
      expect.objectContaining({
        code: 'HOST_FILE_BROKEN',
        hint: expect.stringContaining('Nothing was written') as string,
      }) as Error,
    )
  })

  it.each([
    'KEY: |hunter2secret\n',
    'KEY: >hunter2secret\n  x\n',
    String.raw`KEY: "\hunter2secret"`,
    String.raw`KEY: "\uhunter2secret"`,
    'KEY: !<hunter2secret\n',
    'KEY: !hunter2secret! x\n',
    'KEY: !a!hunter2secret x\n',
    'KEY: *hunter2secret\n',
    'KEY: &a &hunter2secret x\n',
    'KEY: "x" hunter2secret\n',
    'KEY: @hunter2secret\n',
    'KEY: hunter2secret: x\n',
    'KEY: [hunter2secret\n',
    '%TAG hunter2secret\n---\na: 1\n',
    'KEY: 1\n hunter2secret\n- x\n',
  ])('names the position and quotes no content: %j', (text) => {
    let thrown: unknown
    try {
      openHostDocument(text, MAP)
    } catch (error) {
      thrown = error
    }
    expect(thrown).toMatchObject({ code: 'HOST_FILE_BROKEN' })
    expect(inspect(thrown, { depth: 9, showHidden: true })).not.toContain('hunter2')
    expect(String(thrown)).toMatch(/Line \d+, column \d+: [A-Z]/u)
  })
})
