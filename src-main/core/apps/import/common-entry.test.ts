import { describe, expect, it } from 'vitest'

import { lineOf } from '../../../../e2e/fixtures/pasted-text'
import { NOTHING_CHOSEN, type ReadServer, readServer, withName } from '../../import/read-server'
import { treeOf } from '../../import/text/json-tree'
import { describeToolChoice } from '../../import/tool-list'
import type { HostValue } from '../apps/host-app'
import { HOST_APPS } from '../apps/host-apps'
import { commonEntry, isPartOfHost } from './common-entry'

const ENVIRONMENT: Readonly<Record<string, string>> = { TEAM: 'blue', GH_TOKEN: 'own-token' }

function readAs(hostId: string, value: HostValue): Promise<ReadServer> {
  const app = HOST_APPS.find((one) => one.hostId === hostId)
  expect(app).toBeDefined()
  return readServer(
    { name: 'one', path: 'one', node: treeOf(commonEntry(hostId, value)) },
    {
      choice: { ...NOTHING_CHOSEN, environment: ['TEAM', 'GH_TOKEN'] },
      bareNames: app?.expandsBareNames === true ? 'variable' : 'text',
      home: '/home/mara',
      inputs: new Map(),
      environment: ENVIRONMENT,
    },
  )
}

const shown = (server: ReadServer): string => lineOf(withName(server, 0, new Set()))

describe("D6: an entry in its app's dialect", () => {
  it.each<[string, string, HostValue, string]>([
    [
      'Codex: passed variables',
      'codex',
      {
        command: 'npx',
        args: ['-y', 'a'],
        env: { MODE: 'fast' },
        env_vars: ['TEAM', { name: 'GH_TOKEN', source: 'local' }, 'OTHER'],
        startup_timeout_sec: 20,
      },
      'npx | -y | a | TEAM=blue | GH_TOKEN=«own-token» | OTHER=«» | MODE=fast',
    ],
    [
      'Codex: an address with a token from the environment',
      'codex',
      {
        url: 'https://a.example/mcp',
        bearer_token_env_var: 'GH_TOKEN',
        http_headers: { 'X-Region': 'eu' },
        env_http_headers: { 'X-Team': 'TEAM' },
      },
      'streamable-http | https://a.example/mcp | X-Team: blue | Authorization: Bearer «own-token» | X-Region: eu',
    ],
    [
      'Goose: a program with spaces, and keys in its keychain',
      'goose',
      {
        type: 'stdio',
        cmd: '/opt/my tools/run',
        args: ['a b'],
        envs: { MODE: 'fast' },
        env_keys: ['API_KEY'],
        enabled: true,
        timeout: 300,
        bundled: null,
      },
      '/opt/my tools/run | a b | API_KEY=«» | MODE=fast',
    ],
    [
      'Goose: an address',
      'goose',
      {
        type: 'streamable_http',
        uri: 'https://a.example/mcp',
        headers: { 'X-Team': 'a' },
        envs: {},
      },
      'streamable-http | https://a.example/mcp | X-Team: a',
    ],
    [
      'Continue: headers among the request options, secrets by name',
      'continue',
      {
        type: 'sse',
        url: 'https://a.example/x',
        requestOptions: { headers: { Authorization: 'Bearer ${{ secrets.TOKEN }}' } },
      },
      'sse | https://a.example/x | Authorization: Bearer «»',
    ],
    [
      'OpenCode: a command as a list, with its own placeholders',
      'opencode',
      {
        type: 'local',
        command: ['npx', '-y', 'a'],
        environment: { TEAM: '{env:TEAM}', KEY: '{file:~/.key}', KEPT: '${env:TEAM}' },
        enabled: false,
      },
      'npx | -y | a | TEAM=blue | KEY=«» | KEPT=blue',
    ],
    [
      'Gemini: an address for the older transport',
      'gemini-cli',
      { url: 'https://a.example/x' },
      'sse | https://a.example/x',
    ],
    [
      'Gemini: the key of the newer transport',
      'gemini-cli',
      { httpUrl: 'https://a.example/x', timeout: 5, trust: false },
      'streamable-http | https://a.example/x',
    ],
    [
      'Gemini: an explicit type',
      'gemini-cli',
      { url: 'https://a.example/x', type: 'http' },
      'streamable-http | https://a.example/x',
    ],
    [
      'Cline: a nested transport',
      'cline',
      { transport: { type: 'stdio', command: 'x', args: ['a'] }, disabled: false, autoApprove: [] },
      'x | a',
    ],
    [
      'Crush: output of a shell command, which the user enters',
      'crush',
      { type: 'stdio', command: 'x', env: { KEY: '$(pass show key)', TEAM: '$TEAM' } },
      'x | KEY=«» | TEAM=blue',
    ],
    [
      'Zed: program, arguments and variables in one object',
      'zed',
      { source: 'custom', command: { path: 'x', args: ['a'], env: { MODE: 'fast' } } },
      'x | a | MODE=fast',
    ],
    ['an app without a dialect', 'cursor', { command: 'x', cmd: 'y' }, 'x'],
    ['an invalid map', 'codex', { command: 'x', env: ['A=b'], env_vars: ['TEAM'] }, 'x | A=b'],
    ['a value that isn’t an object', 'codex', 5, 'one: expected an object.'],
  ])('is read for %s', async (_, hostId, value, expected) => {
    expect(shown(await readAs(hostId, value))).toBe(expected)
  })

  it('reports what it ignores, but not what apps write for themselves', async () => {
    const notices = async (hostId: string, value: HostValue): Promise<string[]> => {
      const read = await readAs(hostId, value)
      return read.kind === 'usable' ? read.drafted.notices.map(({ path }) => path) : []
    }
    const quiet = {
      ...{ command: 'x', autoApprove: [], alwaysAllow: [], trust: false, disabled: true },
      ...{
        bundled: true,
        display_name: 'X',
        description: 'x',
        gallery: 'https://a.example',
        dev: {},
      },
    }
    expect(await notices('goose', quiet)).toEqual([])
    const loud = { command: 'x', autoApprove: ['a'], timeout: 5, oauth: { clientId: 'a' } }
    expect(await notices('cline', loud)).toEqual(['one.autoApprove', 'one.timeout', 'one.oauth'])
  })

  it("treats Goose's empty tool list as all tools", async () => {
    const words = async (tools: HostValue): Promise<string | undefined> => {
      const read = await readAs('goose', { type: 'stdio', cmd: 'x', available_tools: tools })
      return read.kind === 'usable' ? describeToolChoice(read.tools) : read.obstacle
    }
    expect(await words([])).toBeUndefined()
    expect(await words(['a', 'b'])).toBe('Only “a”, “b” is available to agents.')
  })

  it('is distinguished from parts of the app', () => {
    expect(isPartOfHost('goose', { type: 'builtin', name: 'developer' })).toBe(true)
    expect(isPartOfHost('goose', { type: 'stdio', cmd: 'x' })).toBe(false)
    expect(isPartOfHost('cursor', { type: 'builtin', command: 'x' })).toBe(false)
  })

  it('changes no prototype, whatever its names', async () => {
    const value = JSON.parse(
      '{"command": "x", "env": {"__proto__": "a", "constructor": "b"}, "env_vars": ["__proto__"]}',
    ) as HostValue
    expect(shown(await readAs('codex', value))).toMatch(/^x \| .*__proto__=/)
    expect(Object.hasOwn(Object.prototype, 'a')).toBe(false)
  })
})
