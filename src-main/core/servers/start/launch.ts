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
import type { CopyPlace } from '../../launch/repair/remove-copy'
import type { NetworkWatch } from '../../lifecycle/network-watch'
import type { WakeWatch } from '../../lifecycle/wake-watch'
import type { LogBuffer } from '../../log/log-buffer'
import type { RemoteTransport } from '../../mcp/connections/http-connection'
import type { SessionAuth } from '../../mcp/connections/remote-fetch'
import type { ServerRequests } from '../../mcp/elicitation/server-requests'
import type { ProtocolMode, SpokenMemory } from '../../mcp/negotiate'
import type { MessageTap } from '../../mcp/peer/connection'
import type { Timekeeper } from '../../ports'
import type { ChildSpec } from '../../process/spawn/child-process'
import type { EndingSessions } from './ending-sessions'
import type { SessionCounts } from './session-counts'

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

/** What servers need from the rest of the app. */
export type ServerContext = {
  /** Read for every decision. */
  readonly settings: () => Settings
  readonly clientVersion: string
  readonly installationOf: (installationId: string) => Installation | undefined
  /** Reads the installation for every start. */
  readonly prepare: (
    installationId: string,
    log: LogBuffer,
    kind: StartKind,
  ) => Promise<PreparedLaunch>
  /** Begins to record the messages of another session; missing where nobody does. */
  readonly openTap?: ((installationId: string) => MessageTap | undefined) | undefined
  /** Reasons why a change is not in use yet. `prepare` forgets them; a reconnect that fails notes them again. */
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
  /** Held while spawning only, so that servers that hang or download delay no other (B9). */
  readonly slots: LimitFunction
  readonly time: Timekeeper
  readonly wake: WakeWatch
  readonly network: NetworkWatch
  /** How long a health check waits for its answer where it is not the usual time, in ms. */
  readonly answerMs?: number | undefined
}

/** A runner to install before the start, which the user agreed to. */
export type SetUp = {
  readonly limitMs: number
  /** Once `signal` is aborted it rejects when no process of it is left. */
  readonly run: (onLine: (line: string) => void, signal: AbortSignal) => Promise<void>
}

/** What a start does before its usual phases; `repairs`: it deletes the package copy that the runner keeps. */
export type StartOptions = { readonly setUp?: SetUp; readonly repairs?: boolean }

/** One server, or an instance of it. */
export type ServerIdentity = {
  readonly installationId: string
  readonly log: LogBuffer
  /** Answers its requests; missing where nothing can. */
  readonly serverRequests?: ServerRequests | undefined
  /** Set for an instance: where its server counts, and when there is room for it. */
  readonly instance?: { readonly counts: SessionCounts; readonly room: Promise<void> } | undefined
}

/** The server that a start belongs to, as the phases use it. */
export type StartingServer = Pick<ServerIdentity, 'log'> & {
  readonly identity: ServerIdentity
  readonly context: ServerContext & SharedByServers
  readonly counts: SessionCounts
  readonly ending: EndingSessions
  /** The same function for every start, so that a start joins an earlier download and logs it once. */
  readonly onInstallLine: (line: string) => void
  /** The phase of a start, its record or its faults have changed. */
  readonly onDidMove: () => void
}
