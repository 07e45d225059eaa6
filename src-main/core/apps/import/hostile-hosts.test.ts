import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { READING_PLACE as PLACE, userFile } from '../../../../e2e/fixtures/read-app-files'
import { HOST_APPS } from '../apps/host-apps'
import type { FoundFile } from '../files/found-file'
import { readHosts } from './read-hosts'

const claude = (mcpServers: unknown): FoundFile => userFile('claude-desktop', { mcpServers })
const cursor = (mcpServers: unknown): FoundFile => userFile('cursor', { mcpServers })

describe('D6: a hostile app file', () => {
  it('is limited to 200 servers, and other files are read', async () => {
    const many = (count: number): object =>
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [`s${String(at)}`, { command: 'x' }]),
      )
    const files = [claude(many(1_000)), cursor(many(200))]
    const { servers, unread } = await readHosts(files, [], PLACE)
    expect(servers).toHaveLength(200)
    expect(unread).toEqual([
      {
        hostName: 'Claude Desktop',
        path: '/home/mara/claude-desktop.json',
        problem: 'The file lists 1000 servers, but Patchbay reads at most 200 per file.',
      },
    ])
  })

  it("is reported with the reason if it isn't read", async () => {
    const file = { ...claude({}), document: undefined, problem: 'The file is on another computer.' }
    const absent = { ...cursor({}), document: undefined }
    const { unread } = await readHosts([file, absent], [], PLACE)
    expect(unread.map(({ problem }) => problem)).toEqual(['The file is on another computer.'])
    const long = claude({ ['a'.repeat(2_001)]: { command: 'x' } })
    expect((await readHosts([long], [], PLACE)).unread[0]?.problem).toMatch(/2000 characters/)
  })

  it.each<[string, string]>([
    ['a prototype as a name', '{"__proto__": {"command": "x"}, "constructor": {"command": "y"}}'],
    ['a deceptive name', '{"\\u202Eabc\\u0000": {"command": "x"}}'],
    ['no entries at all', '{"a": 5, "b": null, "c": [], "d": "x", "e": {}}'],
    [
      'a huge text',
      `{"a": {"command": "${'x'.repeat(200_000)}", "args": ["${'a '.repeat(200_000)}"]}}`,
    ],
    ['deep nesting', `{"a": {"command": "x", "more": ${'['.repeat(40)}${']'.repeat(40)}}}`],
  ])('is read without error with %s', async (_, servers) => {
    const read = await readHosts([userFile('cursor', `{"mcpServers": ${servers}}`)], [], PLACE)
    expect(read.servers.length).toBeGreaterThan(0)
    for (const { server } of read.servers) expect(server.name).not.toMatch(/[\u202E\0]/)
    expect(Object.hasOwn(Object.prototype, 'command')).toBe(false)
  })

  it("is read without error with any entries, in every app's dialect", async () => {
    const keys = [
      'command',
      'cmd',
      'args',
      'env',
      'envs',
      'env_vars',
      'env_keys',
      'url',
      'uri',
      'tools',
    ]
    const more = [
      'transport',
      'type',
      'headers',
      'http_headers',
      'requestOptions',
      'cwd',
      'envFile',
    ]
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom('${input:a}', '{env:A}', '$(a)', '${{ secrets.a }}'),
    )
    const value = fc.oneof(
      text,
      fc.jsonValue({ maxDepth: 3 }),
      fc.array(text),
      fc.dictionary(text, text),
    )
    const entry = fc.dictionary(fc.constantFrom(...keys, ...more), value)
    const apps = fc.constantFrom(...HOST_APPS.filter(({ list }) => list.layout === 'map'))
    await fc.assert(
      fc.asyncProperty(apps, fc.dictionary(fc.string(), entry), async (app, servers) => {
        const file = { ...cursor(servers), app }
        const read = await readHosts([file], [], PLACE)
        expect(read.unread).toEqual([])
        const names = read.servers.map(({ server }) => server.name)
        expect(names.every((name) => name.trim() !== '')).toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})
