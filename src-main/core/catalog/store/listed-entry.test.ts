import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { listedServer, npmPackage, realEntries } from '../../../../e2e/fixtures/listed-servers'
import { isJsonObject } from '../../../../src-shared/domain/json-object'
import { fold, wordsOf } from '../../text/words'
import { type ReadEntry, readEntry, readEntryHead, readNamespace } from './listed-entry'

function read(entry: object): ReadEntry {
  const head = readEntryHead(entry)
  if (!head) throw new Error('This entry has no head.')
  return readEntry(head)
}

describe('A1: a registry entry in the list', () => {
  it.each([
    ['com.stripe/mcp', 'stripe.com', 'stripe', 'domain'],
    ['io.github.Ann-B/tools', 'Ann-B', 'Ann-B', 'github'],
    ['uk.co.example.www/x', 'www.example.co.uk', 'co', 'domain'],
    ['io.github/x', 'github.io', 'github', 'domain'],
    ['nameless', 'nameless', 'nameless', 'domain'],
  ])('shows the publisher %s', (name, publisher, owner, namespace) => {
    expect(readNamespace(name)).toEqual({ publisher, owner, namespace })
  })

  it('shows every kind of package once, and remotes', () => {
    const kinds = ['npm', 'pypi', 'oci', 'nuget', 'mcpb', 'npm', 'cargo', 'unheard-of']
    const packages = kinds.map((registryType) => ({ ...npmPackage('a'), registryType }))
    const remotes = [{ type: 'sse', url: 'https://a.example/sse' }]
    expect(read(listedServer({ name: 'a.b/c', packages, remotes })).kinds).toEqual([
      ...['npm', 'pypi', 'docker', 'nuget', 'bundle', 'cargo', 'remote'],
    ])
    expect(read(listedServer({ name: 'a.b/c', packages: [] })).kinds).toEqual([])
  })

  it.each([
    ['a variable', { environmentVariables: [{ name: 'KEY', isSecret: true }] }],
    ['an argument', { packageArguments: [{ type: 'named', name: '--key', isSecret: true }] }],
    [
      'a variable within a value',
      {
        environmentVariables: [
          { name: 'URL', value: 'x://{key}', variables: { key: { isSecret: true } } },
        ],
      },
    ],
  ])('asks for a secret if %s is one', (_, inputs) => {
    const packages = [npmPackage('plain'), npmPackage('a', inputs)]
    expect(read(listedServer({ name: 'a.b/c', packages })).asksForSecrets).toBe(true)
    expect(read(listedServer({ name: 'a.b/c' })).asksForSecrets).toBe(false)
  })

  it("asks for a secret if a remote's header is one", () => {
    const headers = [{ name: 'Authorization', isSecret: true }]
    const remotes = [{ type: 'streamable-http', url: 'https://a.example/', headers }]
    expect(read(listedServer({ name: 'a.b/c', remotes })).asksForSecrets).toBe(true)
  })

  it('keeps its status message on one line and bounded', () => {
    const entry = listedServer({ name: 'a.b/c', statusMessage: `Use\u202e\n${'x'.repeat(900)}` })
    const message = readEntryHead(entry)?.statusMessage
    expect(message).toMatch(/^Use x+$/u)
    expect(message).toHaveLength(500)
  })

  it('is ignored if it is too large, too deep or no object', () => {
    const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`) as unknown
    const entries = [
      ...[null, 7, 'text', [], {}, { server: null }],
      listedServer({ name: 'a.b/c', description: 'x'.repeat(600_000) }),
      { server: { name: 'a.b/c', extra: deep } },
    ]
    expect(entries.map(readEntryHead)).toEqual(entries.map(() => undefined))
  })

  it('has a stable digest', () => {
    const [one, same, other] = ['1.0.0', '1.0.0', '1.0.1'].map((version) =>
      readEntryHead(listedServer({ name: 'a.b/c', version })),
    )
    expect(one?.digest).toBe(same?.digest)
    expect(one?.digest).not.toBe(other?.digest)
  })

  it('is read without an exception, whatever its JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.jsonValue(), (server, meta) => {
        const named = { ...(isJsonObject(server) ? server : {}), name: 'a.b/c' }
        for (const entry of [server, { server, _meta: meta }, { server: named, _meta: meta }]) {
          const head = readEntryHead(entry)
          if (head) expect(readEntry(head).label.split('\n').length).toBeGreaterThanOrEqual(5)
        }
      }),
    )
  })

  it.skipIf(realEntries() === undefined)('is read for every real one', () => {
    const heads = (realEntries() ?? []).map(readEntryHead)
    expect(heads).not.toContain(undefined)
    const kinds = heads.flatMap((head) => (head ? readEntry(head).kinds : []))
    expect(new Set(kinds)).toEqual(new Set(['npm', 'pypi', 'docker', 'nuget', 'bundle', 'remote']))
  })
})

describe('D2: folded text', () => {
  it('is stable when folded again, and splits into words found in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        const folded = fold(text)
        expect(fold(folded)).toBe(folded)
        for (const word of wordsOf(folded)) expect(folded).toContain(word)
      }),
    )
  })

  it('has no diacritics and no capitals', () => {
    expect(fold('  Café  Ünïcode ﬁle ')).toBe('cafe unicode file')
    expect(wordsOf(fold('@Scope/pkg_name-2.0 画像'))).toEqual([
      ...['scope', 'pkg', 'name', '2', '0', '画像'],
    ])
  })
})
