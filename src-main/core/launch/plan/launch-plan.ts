import type { ArgumentOrigin } from '../../../../src-shared/domain/installation/launch-plan'
import type { Remote } from '../../../../src-shared/domain/server-json/server-json'

/** One text of a launch in three forms. */
export type LaunchText = {
  /** The text that the process receives. */
  readonly value: string
  /** The text with every secret as `SECRET_MASK`. */
  readonly shown: string
  /** The text with every secret as its field's key, which the approval covers. */
  readonly fingerprint: string
  readonly secret: boolean
  readonly origin: ArgumentOrigin
}

/** One argv item; `joined` marks the value of a named argument. */
export type PlannedArgument = LaunchText & { readonly joined: boolean }

/** One environment variable of the child, or one header. */
export type PlannedVariable = LaunchText & {
  readonly name: string
  /** The entry's declaration of the value, as JSON: independent of typed values. */
  readonly declared: string
}

/**
 * A command that fetches a package, spawned without a shell; `progress` names the parser of its output, if any. With `toolManifest` it
 * needs an empty manifest of .NET tools.
 */
export type PlannedInstall = {
  readonly command: string
  readonly args: readonly string[]
  readonly progress?: 'npm'
  readonly toolManifest?: true
}

/** Address of a package that serves HTTP; without a URL if the entry names none. */
export type PlannedAddress = {
  readonly type: Remote['type']
  readonly url?: LaunchText | undefined
  readonly headers: readonly PlannedVariable[]
}

/** Additions at the start of a container command; no approval covers them. */
export type PlannedContainer = {
  /** Index in `args` for the additions. */
  readonly optionsAt: number
  /** Whether the entry names the container itself. */
  readonly isNamed: boolean
}

/** Everything needed to start a package; preview, hash and argv are three views of it. */
export type CommandPlan = {
  readonly kind: 'command'
  readonly command: string
  readonly args: readonly PlannedArgument[]
  readonly container?: PlannedContainer | undefined
  readonly env: readonly PlannedVariable[]
  /** HTTP address; absent for a stdio package. */
  readonly transport?: PlannedAddress | undefined
  readonly packageName: string
  readonly packageVersion?: string | undefined
  /** Hash of the started bundle; another bundle is other code, whatever its command. */
  readonly bundleSha256?: string | undefined
  /** Fetches the package into the cache that the start reads; absent if nothing can be fetched ahead. */
  readonly install?: PlannedInstall | undefined
  readonly warnings: readonly string[]
}

/** Everything needed to connect to a remote. */
export type RemotePlan = {
  readonly kind: 'remote'
  readonly type: Remote['type']
  readonly url: LaunchText
  readonly headers: readonly PlannedVariable[]
  readonly warnings: readonly string[]
}

/** The plan of an offer with its values. */
export type LaunchPlan = CommandPlan | RemotePlan
