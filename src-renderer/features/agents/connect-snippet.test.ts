import fc from 'fast-check'
import { split } from 'shlex'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

import { connectSnippet, reachesOf } from './connect-snippet'
import { AGENT_APPS, appOf, OTHER_APP, otherApp } from './endpoint/agent-apps'

const CONNECTION = {
  agentId: 'cursor',
  url: 'http://127.0.0.1:7319/mcp',
  key: 'pb_abc',
  ownCommand: { words: ['/bin/node', '/app/cli.js'], env: {} },
  profileDir: '/profile',
  platform: 'linux',
}
const AUTHORIZATION = { Authorization: 'Bearer pb_abc' }

function entryFor(name: string, reach: 'http' | 'command'): unknown {
  return JSON.parse(connectSnippet(appOf(name), reach, CONNECTION))
}

describe('D6: what an app is told of the endpoint', () => {
  it('names address and header under the keys that the app reads', () => {
    expect(entryFor('Cursor', 'http')).toEqual({
      mcpServers: { patchbay: { url: CONNECTION.url, headers: AUTHORIZATION } },
    })
    expect(entryFor('VS Code', 'http')).toEqual({
      servers: { patchbay: { type: 'http', url: CONNECTION.url, headers: AUTHORIZATION } },
    })
    expect(entryFor('Windsurf', 'http')).toEqual({
      mcpServers: { patchbay: { serverUrl: CONNECTION.url, headers: AUTHORIZATION } },
    })
    expect(entryFor('Gemini CLI', 'http')).toEqual({
      mcpServers: { patchbay: { httpUrl: CONNECTION.url, headers: AUTHORIZATION } },
    })
    expect(entryFor('Zed', 'http')).toEqual({
      context_servers: { patchbay: { url: CONNECTION.url, headers: AUTHORIZATION } },
    })
    expect(connectSnippet(appOf('Codex'), 'http', CONNECTION)).toBe(
      [
        '[mcp_servers.patchbay]',
        'url = "http://127.0.0.1:7319/mcp"',
        'http_headers = { Authorization = "Bearer pb_abc" }',
      ].join('\n'),
    )
  })

  it('names a command without a key, and that alone where no address is taken', () => {
    expect(reachesOf(appOf('Claude Desktop'))).toEqual(['command'])
    expect(reachesOf(OTHER_APP)).toEqual(['http', 'command'])
    const args = ['/app/cli.js', 'bridge', '--agent', 'cursor', '--profile', '/profile']
    const command = { command: '/bin/node', args }
    expect(entryFor('Claude Desktop', 'command')).toEqual({ mcpServers: { patchbay: command } })
    expect(entryFor('VS Code', 'command')).toEqual({
      servers: { patchbay: { type: 'stdio', ...command } },
    })
    expect(connectSnippet(appOf('Codex'), 'command', CONNECTION)).toBe(
      [
        '[mcp_servers.patchbay]',
        'command = "/bin/node"',
        'args = ["/app/cli.js", "bridge", "--agent", "cursor", "--profile", "/profile"]',
      ].join('\n'),
    )
    for (const app of AGENT_APPS)
      expect(connectSnippet(app, 'command', CONNECTION)).not.toContain(CONNECTION.key)
  })

  it('is written in YAML as in JSON, whatever the texts are', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (key, profileDir) => {
        for (const reach of reachesOf(OTHER_APP)) {
          const connection = { ...CONNECTION, key, profileDir }
          const yaml: unknown = parse(connectSnippet(otherApp('yaml'), reach, connection))
          expect(yaml).toEqual(JSON.parse(connectSnippet(OTHER_APP, reach, connection)))
        }
      }),
    )
  })

  it('is one line for a terminal, quoted as its system does', () => {
    const line = (connection: Partial<typeof CONNECTION>): string =>
      connectSnippet(otherApp('line'), 'command', { ...CONNECTION, ...connection })
    expect(line({})).toBe('/bin/node /app/cli.js bridge --agent cursor --profile /profile')
    fc.assert(
      fc.property(fc.string(), (profileDir) => {
        expect(split(line({ profileDir })).at(-1)).toBe(profileDir)
      }),
    )
    const windows = {
      platform: 'win32',
      ownCommand: { words: ['C:\\Program Files\\Patchbay.exe'], env: {} },
    }
    expect(line(windows)).toBe(
      '"C:\\Program Files\\Patchbay.exe" bridge --agent cursor --profile /profile',
    )
    expect(connectSnippet(otherApp('line'), 'http', CONNECTION)).toBe(
      'http://127.0.0.1:7319/mcp\nAuthorization: Bearer pb_abc',
    )
  })

  it.each(['json', 'yaml', 'toml', 'line'] as const)(
    'carries the variables that the command needs in %s',
    (syntax) => {
      const ownCommand = { words: ['C:\\Patchbay.exe'], env: { ELECTRON_RUN_AS_NODE: '1' } }
      const connection = { ...CONNECTION, ownCommand }
      const app = syntax === 'toml' ? appOf('Codex') : otherApp(syntax)
      expect(connectSnippet(app, 'command', connection)).toMatch(
        /ELECTRON_RUN_AS_NODE"?\s*[:=]\s*"?1/,
      )
      expect(connectSnippet(app, 'command', CONNECTION)).not.toContain('ELECTRON_RUN_AS_NODE')
    },
  )

  it('knows an app by whole words of the agent’s name', () => {
    expect(appOf('cursor at work').name).toBe('Cursor')
    expect(appOf('My  Claude   Code').name).toBe('Claude Code')
    expect(appOf('Precursor')).toBe(OTHER_APP)
    fc.assert(fc.property(fc.string(), (name) => void appOf(name)))
  })
})
