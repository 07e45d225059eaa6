import type { Node } from 'jsonc-parser'

import { TypedClient } from '../../../src-shared/domain/running/sign-in'
import { isRedirectUrl } from '../sign-in/redirect-listener'
import { addNotice, consume, type Reading } from './entry-reading'
import { elementsOf, membersOf, textOf, valueOf } from './text/json-tree'

/** The registered client of a server, as its entry names it. */
export type RawClient = { readonly client: TypedClient; readonly scopes: string | undefined }

const MEMBERS = ['oauth', 'auth']
const SCOPES = ['scopes', 'scope']

/**
 * Reads the client in an entry's `oauth` (Claude Code, Codex, Gemini CLI, OpenCode) or `auth` (Cursor): client ID and secret, scopes, and
 * redirect. Undefined without a client ID. Ignored parts cause a notice.
 */
export function readClient(reading: Reading): RawClient | undefined {
  const found = consume(reading, MEMBERS)
  if (found === undefined) return undefined
  // Apps spell these with different separators.
  const members = new Map(
    [...membersOf(found.node)].map(([name, node]) => [
      name.toLowerCase().replaceAll(/[_-]/gu, ''),
      node,
    ]),
  )
  const warn = (message: string): void => addNotice(reading, found.key, message)
  const clientId = textAmong(members, ['clientid'])
  if (clientId === undefined) {
    // Whether OAuth is enabled is detected from the server.
    if (members.size > 0) warn('Ignored: it has no client ID. Sign in once the server is added.')
    return undefined
  }
  const redirectUrl = redirectOf(members, warn)
  const clientSecret = secretOf(members, warn)
  const client = TypedClient.safeParse({
    clientId,
    ...(clientSecret !== undefined && { clientSecret }),
    ...(redirectUrl !== undefined && { redirectUrl }),
  })
  if (client.success && !isPlaceholder(clientId))
    return { client: client.data, scopes: scopesOf(members) }
  warn('Ignored: its client ID can’t be used. Enter it when you sign in.')
  return undefined
}

type Members = ReadonlyMap<string, Node>
type Warn = (message: string) => void

function textAmong(members: Members, names: readonly string[]): string | undefined {
  return names
    .map((name) => textOf(members.get(name))?.trim())
    .find((text) => text !== undefined && text !== '')
}

function secretOf(members: Members, warn: Warn): string | undefined {
  const secret = textAmong(members, ['clientsecret'])
  if (secret === undefined || !isPlaceholder(secret)) return secret
  warn('The client secret is in a variable. Enter it when you sign in.')
  return undefined
}

function redirectOf(members: Members, warn: Warn): string | undefined {
  const node = members.get('callbackport')
  const port = node && valueOf(node)
  const isPort = Number.isInteger(port) && Number(port) > 0 && Number(port) < 65_536
  const url =
    textAmong(members, ['redirecturi', 'redirecturl']) ??
    (isPort ? `http://localhost:${String(port)}/callback` : undefined)
  if (url === undefined || isRedirectUrl(url)) return url
  warn('The redirect URL is ignored: it doesn’t lead to this computer.')
  return undefined
}

function scopesOf(members: Members): string | undefined {
  const text = textAmong(members, SCOPES)
  const listed = SCOPES.flatMap((name) => elementsOf(members.get(name))).flatMap(
    (node) => textOf(node) ?? [],
  )
  const scopes = (text ?? listed.join(' ')).replaceAll(',', ' ').split(/\s+/u).filter(Boolean)
  return scopes.length === 0 ? undefined : scopes.join(' ').slice(0, 4_000)
}

function isPlaceholder(text: string): boolean {
  return /\$\{|^\$[A-Za-z_]/u.test(text)
}
