import type { LimitFunction } from 'p-limit'

import type {
  Installation,
  ProtocolOptions,
} from '../../../../src-shared/domain/installation/installation'
import type { RunnerName } from '../../../../src-shared/domain/runner-name'
import type { Settings } from '../../../../src-shared/domain/state/settings'
import type { StartKind } from '../../installation/draft'
import type { InstallSpec, PackageInstaller } from '../../launch/downloads/package-installer'
import type { CopyUser } from '../../launch/repair/copy-uses'
import type { CopyContext } from '../../launch/repair/remove-copy'
import type { NetworkWatch } from '../../lifecycle/network-watch'
import type { WakeWatch } from '../../lifecycle/wake-watch'
import type { LogBuffer } from '../../log/log-buffer'
import type { RemoteTransport } from '../../mcp/connections/http-connection'
import type { SessionAuth } from '../../mcp/connections/remote-fetch'
import type { ServerRequests } from '../../mcp/elicitation/server-requests'
import type { CachedProtocol, ProtocolMode } from '../../mcp/negotiate'
import type { MessageTap } from '../../mcp/peer/connection'
import type { Timekeeper } from '../../ports'
import type { ChildSpec } from '../../process/spawn/child-process'
import type { EndingSessions } from './ending-sessions'
import type { SessionCounts } from './session-counts'

/** The limits of a start, and what earlier starts learned. */
export type LaunchTerms = {
  /** All in ms. */
  readonly budgets: Readonly<
    Record<'installMs' | 'handshakeMs' | 'discoverMs' | 'requestMs' | 'callMs', number>
  >
  readonly maxMessageBytes: number
  readonly protocol?: ProtocolOptions | undefined
  /** Protocol version and transport of earlier starts. */
  readonly spoken: CachedProtocol
  /** The command or address for the log, secrets masked. */
  readonly shown: string
}

/** The protocol mode that the user chose; undefined if it is negotiated. */
export function chosenMode({ protocol }: LaunchTerms): ProtocolMode | undefined {
  return protocol?.version
}

/** The address where a child serves HTTP on this computer. */
export type LocalHttpAddress = {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly transport: RemoteTransport
}

/** The cached package copy that a server runs from, and its user. */
export type CopyOfStart = { readonly place: CopyContext; readonly user: CopyUser }

/** A command that speaks MCP over its pipes or over HTTP. */
export type CommandLaunch = LaunchTerms & {
  readonly kind: 'command'
  readonly spec: ChildSpec
  readonly install: InstallSpec | undefined
  /** Set if the runner fetches the package during the first start and `install` hasn't. */
  readonly selfInstallKey?: string | undefined
  readonly runner?: RunnerName | undefined
  /** Set if the server runs from a copy in its runner's cache. */
  readonly copy?: CopyOfStart | undefined
  /** Set if the server doesn't use its pipes. */
  readonly serves?: LocalHttpAddress | undefined
  /** The argument that cuts off the server's stdin, as a sentence. */
  readonly stdinFault?: string | undefined
  /** The started package's version, if it is known. */
  readonly packageVersion?: string | undefined
}

/** A server elsewhere to connect to. */
export type RemoteLaunch = LaunchTerms & {
  readonly kind: 'remote'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** Transports to try, the likeliest first. */
  readonly transports: readonly RemoteTransport[]
  /** Uses the system's proxy and certificates. */
  readonly fetch: typeof globalThis.fetch
  /** Provides the sign-in's token; absent if signing in is impossible. */
  readonly auth?: SessionAuth | undefined
}

/** The result of the resolve phase: everything that a start needs. */
export type PreparedLaunch = CommandLaunch | RemoteLaunch

/** What servers need from the rest of the app. */
export type ServerContext = {
  /** Read at every decision. */
  readonly settings: () => Settings
  readonly clientVersion: string
  readonly installationOf: (installationId: string) => Installation | undefined
  /** Reads the installation at every start. */
  readonly prepare: (
    installationId: string,
    log: LogBuffer,
    kind: StartKind,
  ) => Promise<PreparedLaunch>
  /** Starts recording the messages of another session; absent if nobody records. */
  readonly openTap?: ((installationId: string) => MessageTap | undefined) | undefined
  /** Reasons why a change isn't in use yet. `prepare` forgets them; a failed reconnect notes them again. */
  readonly unapplied?:
    | {
        of(installationId: string): readonly string[]
        note(installationId: string, reason: string): void
      }
    | undefined
}

/** What all servers share. */
export type SharedByServers = {
  readonly installer: PackageInstaller
  /** Held while spawning only, so that hanging or downloading servers delay no other (B9). */
  readonly slots: LimitFunction
  readonly time: Timekeeper
  readonly wake: WakeWatch
  readonly network: NetworkWatch
  /** Time limit of a health check, if it isn't the default, in ms. */
  readonly answerMs?: number | undefined
}

/** A runner to install before the start, with the user's consent. */
export type SetUp = {
  readonly limitMs: number
  /** After `signal` is aborted, rejects once no process is left. */
  readonly run: (onLine: (line: string) => void, signal: AbortSignal) => Promise<void>
}

/** Extra phases of a start; `repairs`: delete the package copy in the runner's cache. */
export type StartOptions = { readonly setUp?: SetUp; readonly repairs?: boolean }

/** A server or an instance of it. */
export type ServerIdentity = {
  readonly installationId: string
  readonly log: LogBuffer
  /** Answers the server's requests; absent if none can be answered. */
  readonly serverRequests?: ServerRequests | undefined
  /** Set for an instance: its server's counts, and when there is room for it. */
  readonly instance?: { readonly counts: SessionCounts; readonly room: Promise<void> } | undefined
}

/** The server of a start, as the phases use it. */
export type StartingServer = Pick<ServerIdentity, 'log'> & {
  readonly identity: ServerIdentity
  readonly context: ServerContext & SharedByServers
  readonly counts: SessionCounts
  readonly ending: EndingSessions
  /** The same function for every start, so that a start joins an earlier download and logs it once. */
  readonly onInstallLine: (line: string) => void
  /** The phase, its record or its faults have changed. */
  readonly onDidMove: () => void
}
