import { AppError } from '../../../../src-shared/domain/app-error'
import type { LaunchText, RemotePlan } from '../../launch/plan/launch-plan'
import type { SessionAuth } from '../../mcp/connections/http-auth'
import type { RemoteTransport } from '../../mcp/connections/http-connection'
import type { EraMemory } from './era-memory'
import type { LaunchTerms, RemoteLaunch } from './launch'

const TRANSPORTS: readonly RemoteTransport[] = ['streamable-http', 'sse']

/** Makes a connection of an approved plan. Throws INVALID_VALUES where its address or a header is none. */
export function prepareRemote(
  plan: RemotePlan,
  terms: Omit<LaunchTerms, 'shown' | 'spoken'>,
  parts: {
    readonly eras: EraMemory
    readonly fetch: typeof globalThis.fetch
    readonly openAuth: (url: URL) => SessionAuth
  },
): RemoteLaunch {
  const { eras, fetch, openAuth } = parts
  const url = addressOf(plan.url)
  // What runs elsewhere may be another version at any time.
  const spoken = eras.of(JSON.stringify(['remote', plan.url.fingerprint]), false)
  const likeliest = spoken.transport ?? plan.type
  return {
    ...terms,
    kind: 'remote',
    url,
    headers: headersOf(plan.headers),
    transports: TRANSPORTS.toSorted((a, b) => Number(b === likeliest) - Number(a === likeliest)),
    fetch,
    auth: openAuth(url),
    spoken,
    shown: `Connecting to ${plan.url.shown}`,
  }
}

/** Throws INVALID_VALUES for what is no web address, or carries credentials, which `fetch` takes in none. */
export function addressOf({ value, shown }: LaunchText): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url && url.username + url.password !== '') {
    throw new AppError(
      'INVALID_VALUES',
      `Not connected: the address of ${url.host} has a user name or a password in it.`,
      {
        hint: 'Take them out under Configure, and set a header instead, as a rule Authorization.',
      },
    )
  }
  if (url && /^https?:$/.test(url.protocol)) return url
  throw new AppError('INVALID_VALUES', `Not connected: "${shown}" is no web address.`, {
    hint: 'It begins with https:// as a rule. Set it under Configure.',
  })
}

/** Throws INVALID_VALUES for what no header can be. */
export function headersOf(headers: RemotePlan['headers']): Record<string, string> {
  const checked = new Headers()
  for (const { name, value } of headers) {
    try {
      checked.set(name, value)
    } catch (cause) {
      throw new AppError('INVALID_VALUES', `Not connected: the header "${name}" cannot be sent.`, {
        cause,
        hint: 'Its name or value has characters that no header takes, such as a line break. Set it anew under Configure.',
      })
    }
  }
  return Object.fromEntries(checked)
}
