import { describe, expect, it } from 'vitest'

import { lineOf } from '../../../../e2e/fixtures/pasted-text'
import {
  folderFile,
  READING_PLACE as PLACE,
  userFile,
} from '../../../../e2e/fixtures/read-app-files'
import { NOTHING_CHOSEN } from '../../import/read-server'
import type { FoundFile } from '../files/found-file'
import { type HostRead, type HostReadContext, readHosts } from './read-hosts'

const claude = (mcpServers: unknown): FoundFile => userFile('claude-desktop', { mcpServers })
const cursor = (mcpServers: unknown): FoundFile => userFile('cursor', { mcpServers })
const code = (servers: unknown, inputs: unknown = []): FoundFile =>
  userFile('vs-code', { servers, inputs })

async function read(
  files: readonly FoundFile[],
  place: Partial<HostReadContext> = {},
  choices: Parameters<typeof readHosts>[1] = [],
): Promise<readonly HostRead[]> {
  return (await readHosts(files, choices, { ...PLACE, ...place })).servers
}

/** Groups of servers as letters: `aab` if the first two are the same. */
async function groupsOf(...files: FoundFile[]): Promise<string> {
  const letters = new Map<string, string>()
  return (await read(files))
    .map(({ group }) => {
      const letter = letters.get(group) ?? String.fromCharCode(97 + letters.size)
      letters.set(group, letter)
      return letter
    })
    .join('')
}

const github = (token?: string): object => ({
  command: 'npx',
  args: ['-y', '@acme/github-mcp'],
  ...(token !== undefined && { env: { GITHUB_TOKEN: token } }),
})

describe('D6: servers of several apps', () => {
  it('are the same if they run the same, in any spelling', async () => {
    const spellings = [
      { command: 'npx', args: ['-y', '@acme/notes'] },
      { command: 'npx', args: ['--yes', '@acme/notes@1.2.0'] },
      { command: '/usr/local/bin/npx', args: ['@acme/notes@latest'] },
      { command: 'cmd', args: ['/c', 'npx', '-y', '@acme/notes'] },
      { command: 'C:\\Program Files\\nodejs\\npx.cmd', args: ['-y', '@acme/notes'] },
    ]
    expect(await groupsOf(...spellings.map((notes) => claude({ notes })))).toBe('aaaaa')
    const python = ['mcp-time', 'mcp-time@1.0', 'mcp-time==1.0'].map((spec) => ({
      command: 'uvx',
      args: [spec],
    }))
    expect(await groupsOf(...python.map((time) => cursor({ time })))).toBe('aaa')
    const addresses = ['https://A.example/mcp', 'https://a.example/mcp/', ' https://a.example/mcp']
    expect(await groupsOf(...addresses.map((url) => cursor({ a: { url } })))).toBe('aaa')
  })

  it.each<[string, object, object]>([
    ['arguments', { command: 'x', args: ['a'] }, { command: 'x', args: ['b'] }],
    [
      'plain values',
      { command: 'x', env: { REGION: 'eu' } },
      { command: 'x', env: { REGION: 'us' } },
    ],
    ['variable names', { command: 'x', env: { A: 'b' } }, { command: 'x' }],
    ['programs with the same name', { command: '/a/server' }, { command: '/b/server' }],
    [
      'folders',
      { command: 'node', args: ['s.js'], cwd: '/a' },
      { command: 'node', args: ['s.js'], cwd: '/b' },
    ],
    ['secrets', github('ghp_aaaaaaaaaaaaaaaaaaaaaaaa'), github('ghp_bbbbbbbbbbbbbbbbbbbbbbbb')],
    ['referenced variables', github('${env:GH_WORK}'), github('${env:GH_HOME}')],
    [
      'referenced variables with a default',
      { command: 'x', env: { KEY: '${WORK:-}' } },
      { command: 'x', env: { KEY: '${HOME_KEY:-}' } },
    ],
    ['inputs', github('${input:work}'), github('${input:home}')],
    [
      'sources: a secret and a variable',
      github('ghp_aaaaaaaaaaaaaaaaaaaaaaaa'),
      github('${env:GH_HOME}'),
    ],
    [
      'files of variables',
      { command: 'npx', args: ['gh'], envFile: '/w/.env' },
      { command: 'npx', args: ['gh'], envFile: '/h/.env' },
    ],
    [
      'files of variables (one has none)',
      { command: 'npx', args: ['gh'], envFile: '/w/.env' },
      { command: 'npx', args: ['gh'] },
    ],
    ['unresolved paths', { command: 'x', cwd: './a' }, { command: 'x', cwd: './b' }],
    [
      'folders, if a package gets a relative file',
      { command: 'npx', args: ['tsx', 'src/index.ts'], cwd: '/a' },
      { command: 'npx', args: ['tsx', 'src/index.ts'], cwd: '/b' },
    ],
    [
      'folders, if a script runs',
      { command: 'pnpm', args: ['start'], cwd: '/a' },
      { command: 'pnpm', args: ['start'], cwd: '/b' },
    ],
    [
      'headers',
      { url: 'https://a.example', headers: { 'X-Team': 'a' } },
      { url: 'https://a.example' },
    ],
  ])('differ if they have different %s', async (_, one, other) => {
    expect(await groupsOf(claude({ one }), cursor({ one: other }))).toBe('ab')
  })

  it('are the same if one app has the secret and another requests it, unless there are two secrets', async () => {
    const asks = code({ github: github('${input:token}') })
    const [work, home] = ['ghp_aaaaaaaaaaaaaaaaaaaaaaaa', 'ghp_bbbbbbbbbbbbbbbbbbbbbbbb']
    const own = cursor({ github: github('${env:GITHUB_TOKEN}') })
    expect(await groupsOf(claude({ github: github(work) }), own)).toBe('aa')
    expect(
      await groupsOf(claude({ github: github(work) }), asks, cursor({ gh: github(work) })),
    ).toBe('aaa')
    expect(
      await groupsOf(
        claude({ a: github(work), b: github(home) }),
        asks,
        cursor({ c: github(home) }),
      ),
    ).toBe('abcb')
  })

  it("are the same in any folder if a registry's package runs", async () => {
    for (const args of [['-y', '@acme/notes', '--db', '/srv/notes.db'], ['mcp-time@1.0']]) {
      const [one, other] = ['/a', '/b'].map((cwd) => claude({ a: { command: 'npx', args, cwd } }))
      expect(await groupsOf(...[one, other].flatMap((file) => file ?? []))).toBe('aa')
    }
  })

  it('get free names in the order of the choices; others show the name they would get', async () => {
    const files = [
      claude({ notes: { command: 'a' }, other: { command: 'd' } }),
      cursor({ notes: { command: 'b' } }),
      code({ Notes: { command: 'c' } }),
    ]
    const names = async (...chosen: [hostId: string, entryName: string][]): Promise<string[]> => {
      const choices = chosen.map(([hostId, entryName]) => ({
        ...{ fileId: `${hostId}:/home/mara/${hostId}.json`, entryName },
        ...NOTHING_CHOSEN,
      }))
      return (await read(files, { takenNames: ['other'] }, choices)).map(
        ({ server }) => server.name,
      )
    }
    expect(await names()).toEqual(['notes', 'other 2', 'notes', 'Notes'])
    expect(await names(['vs-code', 'Notes'], ['cursor', 'notes'])).toEqual([
      'notes 3',
      'other 2',
      'notes 2',
      'Notes',
    ])
  })

  it('are omitted if they lead to Patchbay itself', async () => {
    const files = [
      claude({
        patchbay: { command: 'patchbay', args: ['bridge', '--agent', 'claude', '--profile', '/p'] },
        mine: { command: 'x' },
      }),
      cursor({
        gate: { url: 'http://127.0.0.1:4321/mcp' },
        other: { url: 'http://127.0.0.1:4322/' },
      }),
    ]
    expect((await read(files)).map(({ server }) => server.name)).toEqual(['mine', 'other'])
  })

  it('report whether their app has them on', async () => {
    const isOn = async (file: FoundFile): Promise<boolean[]> =>
      (await read([file])).map(({ found }) => found.isOn)
    const entries = { a: { command: 'x' }, b: { command: 'x', disabled: true } }
    expect(await isOn(userFile('cline', { mcpServers: entries }))).toEqual([true, false])
    const zed = { a: { command: 'x' }, b: { command: 'x', enabled: false } }
    expect(await isOn(userFile('zed', { context_servers: zed }))).toEqual([true, false])
  })

  it("know VS Code's inputs, and the folder of a project", async () => {
    const inputs = [
      { id: 'token', type: 'promptString', description: 'Your token', password: true },
    ]
    const [asked] = await read([code({ a: { command: 'x', args: ['${input:token}'] } }, inputs)])
    expect(asked?.server).toMatchObject({
      drafted: { notices: [{ message: 'Asks for: Your token' }] },
    })
    const entry = { command: 'node', args: ['${workspaceFolder}/s.js'], envFile: '.env' }
    const [own] = await read([folderFile('vs-code', { servers: { own: entry } })])
    expect(lineOf(own?.server)).toBe('node | /srv/app/s.js')
    expect(own?.server).toMatchObject({
      drafted: { cwd: '/srv/app', envFile: '/srv/app/.env', notices: [] },
    })
  })

  it("include those of Claude Code's projects, each in its folder", async () => {
    const entry = { command: 'node', args: ['s.js'] }
    const file = userFile('claude-code', {
      mcpServers: { a: entry },
      projects: {
        '/srv/app': { mcpServers: { a: entry }, history: [] },
        '/srv/none': {},
        '/srv/empty': { mcpServers: {} },
      },
    })
    const servers = await read([file])
    expect(servers.map(({ found }) => found.entryName)).toEqual([
      'a',
      'projects["/srv/app"].mcpServers.a',
    ])
    expect(servers.map(({ server }) => server.kind === 'usable' && server.drafted.cwd)).toEqual([
      undefined,
      '/srv/app',
    ])
  })

  it('are distinguished by the full path of their project', async () => {
    const base = `/srv/${'a-long-folder-name/'.repeat(6)}`
    const names = ['one', 'two'].map((name) => base + name)
    const projects = names.map((name) => [name, { mcpServers: { db: { command: 'x' } } }])
    const content = { projects: Object.fromEntries(projects) as unknown }
    const servers = await read([userFile('claude-code', content)])
    expect(servers.map(({ found }) => found.entryName)).toEqual(
      names.map((name) => `projects["${name}"].mcpServers.db`),
    )
  })
})
