import { describe, expect, it } from 'vitest'

import { lineOf, oneOf } from '../../../e2e/fixtures/pasted-text'
import { launchFingerprint } from '../apps/import/same-server'

const URL_OF = 'https://mcp.acme.example/mcp'
const SSE = 'https://mcp.acme.example/sse'
const plain = `streamable-http | ${URL_OF}`

/** Reads the entry as the remote server that it wraps. */
const unwrapped = (entry: object) => oneOf({ mcpServers: { acme: entry } }, [{ asRemote: true }])

describe('F11: a command that only proxies a remote server', () => {
  it.each<[string, string, string[], string]>([
    ['mcp-remote', 'npx', ['-y', 'mcp-remote', URL_OF], plain],
    ['mcp-remote with a version', 'npx', ['mcp-remote@latest', URL_OF, '3334'], plain],
    ['mcp-remote run by bunx', 'bunx', ['mcp-remote', URL_OF], plain],
    ['mcp-remote run by pnpm', 'pnpm', ['dlx', 'mcp-remote', URL_OF], plain],
    ['mcp-remote run by cmd', 'cmd', ['/c', 'npx', '-y', 'mcp-remote', URL_OF], plain],
    ['mcp-remote with a path', 'C:\\node\\npx.cmd', ['-y', 'mcp-remote', URL_OF], plain],
    ['mcp-remote itself', 'mcp-remote', ['--debug', URL_OF], plain],
    [
      'mcp-remote for SSE',
      'npx',
      ['mcp-remote', SSE, '--transport', 'sse-only', '--header', 'X-Kind: a'],
      `sse | ${SSE} | X-Kind: a`,
    ],
    ['supergateway', 'npx', ['-y', 'supergateway', '--sse', SSE], `sse | ${SSE}`],
    ['supergateway for HTTP', 'npx', ['-y', 'supergateway', `--streamableHttp=${URL_OF}`], plain],
    [
      'supergateway with headers',
      'npx',
      ['supergateway', '--sse', SSE, '--header', 'X-Kind: a', '--oauth2Bearer', 'demo-0123456789'],
      `sse | ${SSE} | X-Kind: a | Authorization: Bearer «demo-0123456789»`,
    ],
    ['mcp-proxy', 'uvx', ['mcp-proxy', '--transport', 'streamablehttp', URL_OF], plain],
    ['mcp-proxy for SSE', 'uv', ['tool', 'run', 'mcp-proxy', SSE], `sse | ${SSE}`],
  ])('such as %s can be used as that server', async (_, command, args, line) => {
    const entry = { command, args }
    const written = await oneOf({ mcpServers: { acme: entry } })
    expect(written.drafted.made.kind).toBe('command')
    expect(written.wrapper).not.toBeUndefined()
    expect(lineOf(await unwrapped(entry))).toBe(line)
  })

  it('keeps its header with the secret from its variable, and the client', async () => {
    const info = JSON.stringify({ client_id: 'own', client_secret: 'a-client-secret' })
    const args = ['-y', 'mcp-remote', URL_OF, '3118', '--header', 'Authorization:${AUTH_HEADER}']
    const { drafted, oauth, wrapper } = await unwrapped({
      command: 'npx',
      args: [...args, '--static-oauth-client-info', info],
      env: { AUTH_HEADER: 'Bearer demo-0123456789abcdef' },
    })
    expect(
      lineOf(
        await unwrapped({
          command: 'npx',
          args,
          env: { AUTH_HEADER: 'Bearer demo-0123456789abcdef' },
        }),
      ),
    ).toBe(`${plain} | Authorization: Bearer «demo-0123456789abcdef»`)
    expect(drafted.secrets.map(({ place }) => place)).toEqual(['header'])
    expect(wrapper).toBeUndefined()
    expect(oauth?.client).toEqual({
      clientId: 'own',
      clientSecret: 'a-client-secret',
      redirectUrl: 'http://localhost:3118/oauth/callback',
    })
  })

  it('keeps the address and the token that an adapter reads from variables', async () => {
    const entry = {
      command: 'npx',
      args: ['-y', '@pyroprompts/mcp-stdio-to-streamable-http-adapter'],
    }
    const env = { URI: URL_OF, BEARER_TOKEN: 'demo-0123456789abcdef' }
    expect(lineOf(await unwrapped({ ...entry, env }))).toBe(
      `${plain} | Authorization: Bearer «demo-0123456789abcdef»`,
    )
    expect((await oneOf({ ...entry, env: { URI: 'notes' } })).wrapper).toBeUndefined()
  })

  it('requests the client of a file from the sign-in, without reading the file', async () => {
    const args = ['mcp-remote', URL_OF, '--static-oauth-client-info', '@/srv/client.json']
    expect((await unwrapped({ command: 'npx', args })).oauth).toBeUndefined()
  })

  it('is the same server as its address with the same headers', async () => {
    const wrapped = await oneOf({
      command: 'npx',
      args: ['mcp-remote', URL_OF, '--header', 'X-Kind:a'],
    })
    const direct = await oneOf({ url: URL_OF, headers: { 'X-Kind': 'a' } })
    const other = await oneOf({ url: SSE })
    const [one, same, no] = [wrapped, direct, other].map(
      ({ drafted }) => launchFingerprint(drafted).server,
    )
    expect([one === same, one === no]).toEqual([true, false])
  })

  it.each<[string, string, string[]]>([
    ['another package', 'npx', ['-y', 'notes-mcp', URL_OF]],
    ['no address', 'npx', ['-y', 'mcp-remote']],
    ['mcp-proxy with a program', 'uvx', ['mcp-proxy', 'notes-mcp']],
    [
      'a server that is exposed on the network',
      'npx',
      ['-y', 'supergateway', '--stdio', 'notes-mcp'],
    ],
    ['a wrapper’s name as an argument', 'node', ['server.js', 'mcp-remote', URL_OF]],
  ])("isn't recognized in %s", async (_, command, args) => {
    expect((await oneOf({ mcpServers: { acme: { command, args } } })).wrapper).toBeUndefined()
  })
})
