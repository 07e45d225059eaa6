import { describe, expect, it } from 'vitest'

import { lineOf, oneOf, read, serversOf } from '../../../e2e/fixtures/pasted-text'

describe('C9: a configuration of any usual shape', () => {
  const entry = { command: 'npx', args: ['-y', 'a'], env: { MODE: 'fast' } }
  const line = 'npx | -y | a | MODE=fast'
  it.each<[string, unknown, string]>([
    ['mcpServers', { mcpServers: { one: entry } }, line],
    ['servers with inputs', { servers: { one: { type: 'stdio', ...entry } }, inputs: [] }, line],
    ['servers inside mcp', { mcp: { servers: { one: entry } } }, line],
    ['other settings', { 'editor.tabSize': 2, mcp: { servers: { one: entry } } }, line],
    ['context_servers', { context_servers: { one: { source: 'custom', ...entry } } }, line],
    [
      'the old context_servers',
      {
        context_servers: {
          one: { command: { path: 'npx', args: ['-y', 'a'], env: { MODE: 'fast' } } },
        },
      },
      line,
    ],
    [
      'mcp with a list as command',
      {
        mcp: { one: { type: 'local', command: ['npx', '-y', 'a'], environment: { MODE: 'fast' } } },
      },
      line,
    ],
    ['a map from name to entry', { one: entry }, line],
    ['a map with a server named "servers"', { servers: entry }, line],
    [
      'a single entry with a member named "servers"',
      { ...entry, servers: { two: { command: 'y' } } },
      line,
    ],
    ['a single entry', { name: 'one', ...entry }, line],
    ['an array of entries', [{ name: 'one', ...entry }], line],
    ['a list below servers', { servers: [{ name: 'one', ...entry }] }, line],
    ['cmd as a list', { cmd: ['npx', '-y', 'a'], env: { MODE: 'fast' } }, line],
    ['cmd as one text', { cmd: `npx -y 'a b' "c d"` }, 'npx | -y | a b | c d'],
    ['cmd with separate arguments', { cmd: 'npx -y', args: ['a'] }, 'npx | -y | a'],
    ['env as lines', { command: 'x', env: ['MODE=a=b', 'OTHER'] }, 'x | MODE=a=b | OTHER='],
    [
      'numbers and booleans',
      { command: 'x', args: [1, true], env: { N: 2 } },
      'x | 1 | true | N=2',
    ],
    ['null for missing values', { command: 'x', args: null, env: { N: null } }, 'x'],
    ['a URL', { url: 'https://a.example/mcp' }, 'streamable-http | https://a.example/mcp'],
    [
      'serverUrl',
      { serverUrl: 'https://a.example/mcp' },
      'streamable-http | https://a.example/mcp',
    ],
    ['httpUrl', { httpUrl: 'https://a.example/sse' }, 'streamable-http | https://a.example/sse'],
    [
      'an address that looks like SSE',
      { url: 'https://a.example/sse' },
      'sse | https://a.example/sse',
    ],
    [
      'an explicit type',
      { type: 'sse', url: 'http://localhost:1/x' },
      'sse | http://localhost:1/x',
    ],
    [
      'an explicit transport',
      { transport: 'http', url: 'https://a.example/sse' },
      'streamable-http | https://a.example/sse',
    ],
    [
      'headers',
      { url: 'https://a.example', headers: { 'X-Team': 'a' } },
      'streamable-http | https://a.example | X-Team: a',
    ],
    ['command and address: the command wins', { command: 'x', url: 'https://a.example' }, 'x'],
    ['cmd and address: the command wins', { cmd: 'x y', url: 'https://a.example' }, 'x | y'],
    ['empty arguments', { command: 'x', args: ['', 'a', ''] }, 'x |  | a | '],
  ])('is read with %s', async (_, configuration, expected) => {
    expect((await serversOf(configuration)).map(lineOf)).toEqual([expected])
  })

  it('is read with comments, trailing commas, a Markdown fence, and a member without braces', async () => {
    const json = `{ // mine\n "mcpServers": { "one": { "command": "x", /* none */ "args": ["a",], }, }, }`
    expect((await serversOf(json)).map(lineOf)).toEqual(['x | a'])
    expect((await serversOf('```json\n' + json + '\n```')).map(lineOf)).toEqual(['x | a'])
    expect((await serversOf('"one": {"command": "x"},')).map(lineOf)).toEqual(['x'])
    expect((await serversOf('\uFEFF{"command": "x"}')).map(lineOf)).toEqual(['x'])
  })

  it("is read in Zed's form with nested nulls", async () => {
    const command = { path: 'node', args: [], env: null }
    const one = await oneOf({ context_servers: { a: { command, settings: {} } } })
    expect(lineOf(one)).toBe('node')
  })

  it('is rejected with line and column of every mistake', async () => {
    const text =
      '{\n  "mcpServers": {\n    "a": { "command" "x" },\n    "b": { "command": "y", "args": [1 2] }\n  }\n'
    expect(await read(text)).toEqual({
      kind: 'broken',
      problems: [
        { line: 3, column: 22, message: 'Expected a colon after the name.' },
        { line: 4, column: 39, message: 'Expected a comma before this.' },
        { line: 6, column: 1, message: 'Expected a closing brace “}”.' },
      ],
    })
    expect(await read('"one": {"command": 1 2}')).toMatchObject({
      problems: [{ line: 1, column: 22 }],
    })
    expect(await read('')).toMatchObject({ problems: [{ line: 1, column: 1 }] })
  })

  it('names the path of a wrong shape, and reads the other servers', async () => {
    const servers = await serversOf({
      mcpServers: {
        good: { command: 'x' },
        bad: { command: 'x', args: [{}] },
        odd: 5,
        empty: {},
        socket: { type: 'ws', url: 'wss://a.example' },
      },
    })
    expect(servers.map(({ name }) => name)).toEqual(['good', 'bad', 'odd', 'empty', 'socket'])
    expect(servers.map(lineOf)).toEqual([
      'x',
      'mcpServers.bad.args[0]: expected a string.',
      'mcpServers.odd: expected an object.',
      'mcpServers.empty: expected "command", "cmd" or "url".',
      'mcpServers.socket.type: expected "http" or "sse", not "ws".',
    ])
  })

  it('names the limit of a server with more than 400 arguments or variables', async () => {
    const names = (count: number): string[] => Array.from({ length: count }, (_, n) => `N${n}`)
    const map = (count: number): object => Object.fromEntries(names(count).map((one) => [one, '1']))
    const servers = await serversOf({
      mcpServers: {
        fits: { command: 'x', args: names(400), env: map(400) },
        args: { command: 'x', args: names(401) },
        list: { command: 'x', env: names(401) },
        map: { command: 'x', env: map(401) },
        both: { command: { path: 'x', env: { A: '1' } }, env: map(400) },
      },
    })
    expect(servers[0]?.kind).toBe('usable')
    expect(servers.slice(1).map(lineOf)).toEqual([
      'mcpServers.args.args: expected at most 400 arguments and variables.',
      'mcpServers.list.args: expected at most 400 arguments and variables.',
      'mcpServers.map.env: expected at most 400 names.',
      'mcpServers.both.args: expected at most 400 arguments and variables.',
    ])
  })

  it('omits options that need a terminal if the user chose so (S17)', async () => {
    const entry = { command: 'docker', args: ['run', '-i', '-t', '--rm', 'img', '-t'] }
    const [written] = await serversOf(entry)
    expect(lineOf(written)).toBe('docker | run | -i | -t | --rm | img | -t')
    const [changed] = await serversOf(entry, [{ withoutTerminal: true }])
    expect(lineOf(changed)).toBe('docker | run | -i | --rm | img | -t')
    const compose = { command: 'docker', args: ['compose', 'run', 'web'] }
    const [added] = await serversOf(compose, [{ withoutTerminal: true }])
    expect(lineOf(added)).toBe('docker | compose | run | -T | web')
  })

  it('names the right place of a member among the variables (X2)', async () => {
    const servers = await serversOf({
      mcpServers: {
        one: { command: 'x', env: { env_vars: ['KEY'] } },
        two: { command: 'x', env: { PORT: 5432, DEBUG: true } },
      },
    })
    expect(servers.map(lineOf)).toEqual([
      'mcpServers.one.env.env_vars belongs one level up, at mcpServers.one.env_vars.',
      'x | PORT=5432 | DEBUG=true',
    ])
  })

  it.each<[string, unknown, RegExp]>([
    ['no server', { theme: 'dark' }, /No servers found in “theme”/],
    ["servers that aren't a map", { mcpServers: 'x' }, /^mcpServers: expected an object/],
    ['an empty map of servers', { mcpServers: {} }, /contains no servers/],
    [
      'more servers than anyone runs',
      { servers: Array(201).fill({ command: 'x' }) },
      /has 201 servers/,
    ],
    ['an older configuration of values', { package_args: { a: 'b' } }, /values of one server/],
  ])('is rejected with %s', async (_, configuration, message) => {
    await expect(read(configuration)).rejects.toMatchObject({ code: 'INVALID_CONFIG' })
    await expect(read(configuration)).rejects.toThrow(message)
  })

  it('is recognized as server.json, even with comments', async () => {
    const document = '{"name": "a/b", "version": "1.0.0", // ours\n "packages": [], }'
    expect(await read(document)).toMatchObject({
      kind: 'entry',
      entry: { server: { name: 'a/b' } },
    })
  })

  it('reports what it ignores, and repeated keys', async () => {
    const { drafted } = await oneOf(
      '{"one": {"command": "x", "command": "y", "tools": ["a"], "timeout": 5, "url": "https://a.example", "disabled": true}}',
    )
    expect(drafted.notices.map(({ path }) => path)).toEqual([
      'one.command',
      'one.url',
      'one.timeout',
    ])
  })

  it.each<[string, Readonly<Record<string, unknown>>, string[]]>([
    ['a script', { command: 'node', args: ['--trace-warnings', 'build/index.js'] }, ['args']],
    ['a program', { command: './server' }, ['command']],
    ['a script with a working folder', { command: 'node', args: ['a.js'], cwd: '/srv' }, []],
    ['a script with a full path', { command: 'python3', args: ['/srv/a.py', 'b.py'] }, []],
    ['a module', { command: 'python3', args: ['-m', 'notes', 'b.py'] }, []],
    ['a package', { command: 'npx', args: ['-y', '@scope/notes'] }, []],
    ['a path after a variable', { command: '${HOME}/notes' }, []],
  ])('warns that a relative path needs its folder: %s', async (_, entry, paths) => {
    const { drafted } = await oneOf({ notes: entry })
    const reported = drafted.notices.filter(({ message }) => message.includes('working folder'))
    expect(reported.map(({ path }) => path)).toEqual(paths.map((path) => `notes.${path}`))
  })

  it('gives each server a free name and names unnamed ones', async () => {
    const servers = await serversOf(
      { servers: { Notes: { command: 'x' }, notes: { command: 'y' } } },
      [],
      ['notes'],
    )
    expect(servers.map(({ name, takenName }) => [name, takenName])).toEqual([
      ['Notes 2', 'Notes'],
      ['notes 3', 'notes'],
    ])
    const names = await Promise.all(
      [
        { command: 'npx', args: ['-y', '@scope/notes-mcp@1.2.0', '/tmp'] },
        { command: '/usr/bin/notes' },
        { url: 'https://mcp.notes.example/x' },
        { command: 'uvx', args: ['--from', 'git', 'mcp-server-time'] },
      ].map(async (entry) => (await oneOf(entry)).name),
    )
    expect(names).toEqual(['notes-mcp', 'notes', 'notes.example', 'mcp-server-time'])
  })

  it.each([
    [['-y', '@acme/cli', '--token', 'mcp_9f8e7d6c5b4a39281706'], 'npx'],
    [['-y', '@acme/cli', '--sse', 'https://mcp.acme.com/v1?api_key=ab/cd1234567890'], 'acme.com'],
    [['-y', '@acme/cli', '--token', 'https://mcp.acme.com/v1'], 'npx'],
    [['-y', '@acme/cli', '-e', 'MCP_ROOM=a/b', 'https://me:mcp-pass@a.example/x'], 'npx'],
    [['-y', 'sk-mcp-abcdefghijklmnopqrstuv', '@acme/mcp-notes'], 'mcp-notes'],
  ])('never takes a name from a possible secret: %j', async (args, name) => {
    expect((await oneOf({ command: 'npx', args })).name).toBe(name)
  })
})
