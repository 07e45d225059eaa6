import type { ProtocolOptions } from '../../../../src-shared/domain/installation/installation'
import type { RunnerName } from '../../../../src-shared/domain/runner-name'
import type { InstallSpec } from '../../launch/downloads/package-installer'
import type { CopyUser } from '../../launch/repair/copy-uses'
import type { CopyPlace } from '../../launch/repair/remove-copy'
import type { RemoteTransport } from '../../mcp/connections/http-connection'
import type { SessionAuth } from '../../mcp/connections/remote-fetch'
import type { ProtocolMode } from '../../mcp/negotiate'
import type { ChildSpec } from '../../process/spawn/child-process'
import type { SpokenMemory } from './protocol-version-cache'

/** The limits of a start, and what is known of its server. */
export type LaunchTerms = {
  /** In ms. */
  readonly budgets: Readonly<
    Record<'installMs' | 'handshakeMs' | 'discoverMs' | 'requestMs' | 'callMs', number>
  >
  readonly maxMessageBytes: number
  readonly protocol?: ProtocolOptions | undefined
  /** The protocol version and transport of earlier starts. */
  readonly spoken: SpokenMemory
  /** The command or address for the log, secrets masked. */
  readonly shown: string
}

/** The kind of protocol that the user chose for a server; undefined where it is negotiated. */
export function chosenMode({ protocol }: LaunchTerms): ProtocolMode | undefined {
  return protocol?.version
}

/** Where a child serves HTTP on this computer. */
export type LocalHttpAddress = {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly transport: RemoteTransport
}

/** The package copy that a server runs from, and its user. */
export type CopyOfStart = { readonly place: CopyPlace; readonly user: CopyUser }

/** A command to run and speak with over its pipes, or over the HTTP that it serves. */
export type CommandLaunch = LaunchTerms & {
  readonly kind: 'command'
  readonly spec: ChildSpec
  readonly install: InstallSpec | undefined
  /** Set where the runner fetches the package during its first start, unless `install` has. */
  readonly selfInstallKey?: string | undefined
  readonly runner?: RunnerName | undefined
  /** Set where it runs from a copy that its runner keeps. */
  readonly copy?: CopyOfStart | undefined
  /** Set where it does not speak over its pipes. */
  readonly serves?: LocalHttpAddress | undefined
  /** The argument that keeps it from its stdin, as a sentence. */
  readonly stdinFault?: string | undefined
  /** Version of the package that is started, where it names one. */
  readonly packageVersion?: string | undefined
}

/** A server elsewhere to connect to. */
export type RemoteLaunch = LaunchTerms & {
  readonly kind: 'remote'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** The ways to speak with it, the likeliest first; each is tried until one is understood. */
  readonly transports: readonly RemoteTransport[]
  /** Goes by the system's proxy and certificates. */
  readonly fetch: typeof globalThis.fetch
  /** Gives the token of who signed in there; missing where nobody can. */
  readonly auth?: SessionAuth | undefined
}

/** The result of the resolve phase: all that a start needs. */
export type PreparedLaunch = CommandLaunch | RemoteLaunch
