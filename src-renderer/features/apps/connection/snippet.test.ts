import fc from 'fast-check'
import { split } from 'shlex'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

import { connectSnippet } from './snippet-view'

const CONNECTION = {
  agentId: 'cursor',
  url: 'http://127.0.0.1:7319/mcp',
  key: 'pb_abc',
  ownCommand: { argv: ['/bin/node', '/app/cli.js'], env: {} },
  profileDir: '/profile',
  platform: 'linux',
}
const ARGS = ['/app/cli.js', 'bridge', '--agent', 'cursor', '--profile', '/profile']

describe('D6: configuration entry of any MCP client', () => {
  it('has address and header over HTTP', () => {
    const headers = { Authorization: 'Bearer pb_abc' }
    expect(JSON.parse(connectSnippet('json', 'http', CONNECTION))).toEqual({
      mcpServers: { patchbay: { type: 'http', url: CONNECTION.url, headers } },
    })
    expect(connectSnippet('toml', 'http', CONNECTION)).toBe(
      [
        '[mcp_servers.patchbay]',
        'url = "http://127.0.0.1:7319/mcp"',
        'http_headers = { Authorization = "Bearer pb_abc" }',
      ].join('\n'),
    )
    expect(connectSnippet('cli', 'http', CONNECTION)).toBe(
      'http://127.0.0.1:7319/mcp\nAuthorization: Bearer pb_abc',
    )
  })

  it('has a command without the key', () => {
    const command = { type: 'stdio', command: '/bin/node', args: ARGS }
    expect(JSON.parse(connectSnippet('json', 'command', CONNECTION))).toEqual({
      mcpServers: { patchbay: command },
    })
    expect(connectSnippet('toml', 'command', CONNECTION)).toBe(
      [
        '[mcp_servers.patchbay]',
        'command = "/bin/node"',
        `args = [${ARGS.map((word) => JSON.stringify(word)).join(', ')}]`,
      ].join('\n'),
    )
  })

  it('has the same content in YAML and JSON, whatever the texts are', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (key, profileDir) => {
        for (const reach of ['http', 'command'] as const) {
          const connection = { ...CONNECTION, key, profileDir }
          const yaml: unknown = parse(connectSnippet('yaml', reach, connection))
          expect(yaml).toEqual(JSON.parse(connectSnippet('json', reach, connection)))
        }
      }),
    )
  })

  it("is quoted for the platform's terminal", () => {
    const line = (connection: Partial<typeof CONNECTION>): string =>
      connectSnippet('cli', 'command', { ...CONNECTION, ...connection })
    expect(line({})).toBe('/bin/node /app/cli.js bridge --agent cursor --profile /profile')
    fc.assert(
      fc.property(fc.string(), (profileDir) => {
        expect(split(line({ profileDir })).at(-1)).toBe(profileDir)
      }),
    )
    const windows = {
      platform: 'win32',
      ownCommand: { argv: ['C:\\Program Files\\Patchbay.exe'], env: {} },
    }
    expect(line(windows)).toBe(
      '"C:\\Program Files\\Patchbay.exe" bridge --agent cursor --profile /profile',
    )
  })

  it.each(['json', 'yaml', 'toml', 'cli'] as const)(
    'contains the environment of the command as %s',
    (format) => {
      const ownCommand = { argv: ['C:\\Patchbay.exe'], env: { ELECTRON_RUN_AS_NODE: '1' } }
      expect(connectSnippet(format, 'command', { ...CONNECTION, ownCommand })).toMatch(
        /ELECTRON_RUN_AS_NODE"?\s*[:=]\s*"?1/,
      )
      expect(connectSnippet(format, 'command', CONNECTION)).not.toContain('ELECTRON_RUN_AS_NODE')
    },
  )
})
