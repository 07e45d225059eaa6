import { describe, expect, it } from 'vitest'

import { oneOf } from '../../../e2e/fixtures/pasted-text'

const URL_OF = 'https://mcp.acme.example/mcp'
const entryWith = (members: object) => ({ mcpServers: { acme: { url: URL_OF, ...members } } })

describe("B6: an entry's OAuth client", () => {
  it.each<[string, object]>([
    ['of Claude Code', { oauth: { clientId: 'own', callbackPort: 3118, scopes: 'read write' } }],
    ['of Codex', { oauth: { client_id: 'own', callback_port: 3118, scopes: ['read', 'write'] } }],
    [
      'with a redirect URL',
      {
        oauth: {
          clientId: 'own',
          redirectUri: 'http://localhost:3118/callback',
          scopes: ['read', 'write'],
        },
      },
    ],
  ])('%s is passed to the sign-in, with its redirect', async (_, members) => {
    const { oauth, drafted } = await oneOf(entryWith(members))
    expect(oauth).toEqual({
      client: { clientId: 'own', redirectUrl: 'http://localhost:3118/callback' },
      scopes: 'read write',
    })
    expect(drafted.notices).toEqual([])
  })

  it('of Cursor includes its secret', async () => {
    const auth = { CLIENT_ID: 'own', CLIENT_SECRET: 'a-secret', scopes: ['read'] }
    const { oauth } = await oneOf(entryWith({ auth }))
    expect(oauth).toEqual({ client: { clientId: 'own', clientSecret: 'a-secret' }, scopes: 'read' })
  })

  it.each<[string, object, object | undefined, string]>([
    [
      'a secret in a variable',
      { clientId: 'own', clientSecret: '${SECRET}' },
      { clientId: 'own' },
      'in a variable',
    ],
    [
      'a redirect elsewhere',
      { clientId: 'own', redirectUri: 'https://evil.example/' },
      { clientId: 'own' },
      'redirect URL is ignored',
    ],
    ['no client ID', { scopes: 'read' }, undefined, 'no client ID'],
    ['a client ID in a variable', { clientId: '${ID}' }, undefined, 'client ID can’t be used'],
  ])('with %s is used as far as possible, with a notice', async (_, members, client, notice) => {
    const { oauth, drafted } = await oneOf(entryWith({ oauth: members }))
    expect(oauth?.client).toEqual(client)
    expect(drafted.notices.map(({ message }) => message).join()).toContain(notice)
  })
})
