import { AppError } from '../../../../src-shared/domain/app-error'
import type { LaunchText, PlannedAddress, RemotePlan } from '../../launch/plan/launch-plan'
import type { RemoteTransport } from '../../mcp/connections/http-connection'
import type { SessionAuth } from '../../mcp/connections/remote-fetch'
import { isLoopback } from '../../network/is-loopback'
import type { LaunchTerms, LocalHttpAddress, RemoteLaunch } from './launch'
import type { ProtocolVersionCache } from './protocol-version-cache'

const TRANSPORTS: readonly RemoteTransport[] = ['streamable-http', 'sse']

/** Makes a connection of an approved plan. Throws INVALID_VALUES where its address or a header is none. */
export function prepareRemote(
  plan: RemotePlan,
  terms: Omit<LaunchTerms, 'shown' | 'spoken'>,
  {
    versions,
    fetch,
    openAuth,
  }: {
    readonly versions: ProtocolVersionCache
    readonly fetch: typeof globalThis.fetch
    readonly openAuth: (url: URL) => SessionAuth
  },
): RemoteLaunch {
  const url = addressOf(plan.url)
  // A remote server may be another version at any time.
  const spoken = versions.of(JSON.stringify(['remote', plan.url.fingerprint]), false)
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
      `Not connected: the URL of ${url.host} contains a user name or password.`,
      {
        hint: 'Remove them under Configure and set a header instead, usually Authorization.',
      },
    )
  }
  if (url && /^https?:$/.test(url.protocol)) return url
  throw new AppError('INVALID_VALUES', `Not connected: "${shown}" isn’t a URL.`, {
    hint: 'Enter a URL under Configure, usually starting with https://.',
  })
}

/** Throws INVALID_VALUES for what no header can be. */
function headersOf(headers: RemotePlan['headers']): Record<string, string> {
  const checked = new Headers()
  for (const { name, value } of headers) {
    try {
      checked.set(name, value)
    } catch (cause) {
      throw new AppError('INVALID_VALUES', `Not connected: the header "${name}" is invalid.`, {
        cause,
        hint: 'The name or value contains a character that headers can’t have. Correct it under Configure.',
      })
    }
  }
  return Object.fromEntries(checked)
}

/**
 * Where an approved command is to serve HTTP. Throws UNSUPPORTED_TRANSPORT where its entry names no address of this
 * computer, and INVALID_VALUES where the address or a header is none.
 */
export function prepareLocalHttp({ type, url, headers }: PlannedAddress): LocalHttpAddress {
  if (url === undefined) throw unservedError('The entry does not define its address.')
  const address = addressOf(url)
  if (!isLoopback(address))
    throw unservedError(`The entry’s address, ${address.host}, isn’t this computer.`)
  return { url: address, headers: headersOf(headers), transport: type }
}

function unservedError(message: string): AppError {
  return new AppError('UNSUPPORTED_TRANSPORT', message, {
    hint: 'Your values are kept. Try another package or remote of this server.',
  })
}
