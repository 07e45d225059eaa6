import type { ArgumentOrigin } from '../../../../src-shared/domain/installation/launch-plan'
import type { Remote } from '../../../../src-shared/domain/server-json/server-json'

/** One text of a launch in its three forms. */
export type LaunchText = {
  /** What the process receives. */
  readonly value: string
  /** The same with every secret as `SECRET_MASK`. */
  readonly shown: string
  /** The same with every secret as the key of its field: what a user's approval is bound to. */
  readonly fingerprint: string
  readonly secret: boolean
  readonly origin: ArgumentOrigin
}

/** One argv item; `joined` marks the value of a named argument. */
export type PlannedArgument = LaunchText & { readonly joined: boolean }

/** One variable of the child's environment, or one header. */
export type PlannedVariable = LaunchText & {
  readonly name: string
  /** What the entry itself says of the value, as JSON: the same whatever the user types. */
  readonly declared: string
}

/**
 * Fetches a package, spawned without a shell; `progress` names the reader of its output, where it takes one. With
 * `toolManifest` it needs an empty manifest of .NET tools.
 */
export type PlannedInstall = {
  readonly command: string
  readonly args: readonly string[]
  readonly progress?: 'npm'
  readonly toolManifest?: true
}

/** Where a package answers that serves HTTP; without an address where its entry names none. */
export type PlannedAddress = {
  readonly type: Remote['type']
  readonly url?: LaunchText | undefined
  readonly headers: readonly PlannedVariable[]
}

/** What only a start adds to a command that runs a container; no approval is bound to it. */
export type PlannedContainer = {
  /** Where in `args` it goes. */
  readonly optionsAt: number
  /** Whether the entry names the container itself. */
  readonly isNamed: boolean
}

/** All that starting a package needs; preview, hash and argv are three views of it. */
export type CommandPlan = {
  readonly kind: 'command'
  readonly command: string
  readonly args: readonly PlannedArgument[]
  readonly container?: PlannedContainer | undefined
  readonly env: readonly PlannedVariable[]
  /** Where it serves HTTP, for one that does not speak over its pipes. */
  readonly transport?: PlannedAddress | undefined
  readonly packageName: string
  readonly packageVersion?: string | undefined
  /** Of the bundle that it starts; another one is other code, whatever its command is. */
  readonly bundleSha256?: string | undefined
  /** Fetches the package into the cache that the start reads; missing where nothing can be fetched ahead. */
  readonly install?: PlannedInstall | undefined
  readonly warnings: readonly string[]
}

/** All that connecting to a remote needs. */
export type RemotePlan = {
  readonly kind: 'remote'
  readonly type: Remote['type']
  readonly url: LaunchText
  readonly headers: readonly PlannedVariable[]
  readonly warnings: readonly string[]
}

/** What an offer becomes with its values. */
export type LaunchPlan = CommandPlan | RemotePlan
