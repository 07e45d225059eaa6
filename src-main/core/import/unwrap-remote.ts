import { TypedClient } from '../../../src-shared/domain/running/sign-in'
import type { RawClient } from './read-client'
import type { RawServer } from './read-entry'
import { type WrappedRemote, wrappedRemote } from './wrapped-remote'

/** The program that only passes a remote server on; undefined where a server is what it seems. */
export function wrapperOf({ run }: RawServer): string | undefined {
  return run.kind === 'command' ? wrappedIn(run)?.wrapper : undefined
}

/** The remote server that a command wraps, with its headers and its client; any other server as it is. */
export function asRemote(raw: RawServer): RawServer {
  if (raw.run.kind !== 'command') return raw
  const wrapped = wrappedIn(raw.run)
  if (!wrapped) return raw
  const { type, url, headers, oauth } = wrapped
  return { ...raw, run: { kind: 'address', type, url, headers }, oauth: oauth && clientOf(oauth) }
}

function wrappedIn({
  command,
  args,
  env,
}: Extract<RawServer['run'], { kind: 'command' }>): WrappedRemote | undefined {
  return wrappedRemote([command, ...args], env)
}

/** The client is JSON in an argument; one in a file stays there. */
function clientOf({
  clientInfo,
  redirectUrl,
}: NonNullable<WrappedRemote['oauth']>): RawClient | undefined {
  try {
    const info = JSON.parse(clientInfo) as Readonly<Record<string, unknown>>
    const client = TypedClient.safeParse({
      clientId: info.client_id,
      clientSecret: info.client_secret,
      redirectUrl,
    })
    return client.success ? { client: client.data, scopes: undefined } : undefined
  } catch {
    return undefined // `@FILE`, or no JSON: the sign-in asks for the client
  }
}
