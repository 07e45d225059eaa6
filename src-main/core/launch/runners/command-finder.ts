import { dirname, extname, isAbsolute, join } from 'node:path'

import { RunnerName } from '../../../../src-shared/domain/runner-name'
import type { RunnerView } from '../../../../src-shared/domain/running/runner-advice'
import type { Settings } from '../../../../src-shared/domain/state/settings'
import {
  childEnvironment,
  type EnvironmentSource,
  heldBackNames,
  pathOf,
} from './child-environment'
import type { LoginPath } from './login-path'
import { isProgram, resolveCommand, usualFolders } from './resolve-command'

/** Who reads an environment: a server, or what fetches it and is given what that takes. */
export type EnvironmentReader = 'server' | 'runner'

/** A command that is there; `folders` come first on the PATH of what is started with it. */
export type FoundCommand = {
  readonly kind: 'found'
  readonly file: string
  readonly source: RunnerView['source']
  readonly folders: readonly string[]
}

/** Where a command is, or why it cannot be told. */
export type CommandSearch =
  | FoundCommand
  | { readonly kind: 'missing'; readonly lookedIn: readonly string[] }
  /** The path that was set by hand is no program. */
  | { readonly kind: 'unusable'; readonly path: string }

export type CommandFinderOptions = {
  readonly platform: NodeJS.Platform
  readonly home: string
  /** Patchbay's own. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly loginPath: LoginPath
  /** Whether Patchbay was started from a shell: then its own PATH comes before the login shell's. */
  readonly isFromShell: boolean
  readonly settings: () => Pick<Settings, 'runnerPaths'>
  /** How a child reaches the network; as Patchbay itself where it is missing. */
  readonly network?: (reader: EnvironmentReader) => Promise<EnvironmentSource['network']>
}

/** Finds the programs of commands: the one set by hand, else the one on the person's own PATH. */
export class CommandFinder {
  constructor(private readonly options: CommandFinderOptions) {}

  /** The environment of a child with these variables of its own. */
  async environmentFor(
    planned: Readonly<Record<string, string>>,
    folders: readonly string[] = [],
    reader: EnvironmentReader = 'server',
  ): Promise<Record<string, string>> {
    const [bare, network] = await Promise.all([
      this.#source(folders),
      this.options.network?.(reader),
    ])
    return childEnvironment({ ...bare, ...(network && { network }) }, planned)
  }

  /** Names of variables of this computer that servers don't get. */
  heldBack(): string[] {
    const { environment, platform } = this.options
    return heldBackNames(environment, platform)
  }

  /** The path that was set by hand. */
  setPath(command: string): string | undefined {
    const runner = RunnerName.safeParse(command).data
    const path = runner && this.options.settings().runnerPaths[runner]?.trim()
    return path === '' ? undefined : path
  }

  /** With `again`, a command that is not there is looked up on a fresh PATH of the login shell: it may just have been installed. */
  async find(command: string, { again = true } = {}): Promise<CommandSearch> {
    const path = this.setPath(command)
    if (path !== undefined) {
      const isUsable = isAbsolute(path) && (await isProgram(path))
      if (!isUsable) return { kind: 'unusable', path }
      return { kind: 'found', file: path, source: 'set', folders: [dirname(path)] }
    }
    const beside = await this.#besideUvx(command)
    if (beside !== undefined)
      return { kind: 'found', file: beside, source: 'set', folders: [dirname(beside)] }
    const first = await this.look(command)
    if (first.kind === 'found' || !again) return first
    await this.options.loginPath.refresh()
    return this.look(command)
  }

  /** One look at the folders that are known, whatever was set by hand. */
  async look(command: string): Promise<FoundCommand | Extract<CommandSearch, { kind: 'missing' }>> {
    const { platform, home, environment } = this.options
    // Only a bundle, or a person by hand, names a program by its path.
    if (isAbsolute(command)) return lookAt(command)
    const env = childEnvironment(await this.#source([]), {})
    const onPath = await this.#resolve(command, pathOf(env), env.PATHEXT)
    if (onPath.kind === 'found') return { ...onPath, source: 'found', folders: [] }
    const usual = usualFolders(platform, home, environment).join(platform === 'win32' ? ';' : ':')
    const beside = await this.#resolve(command, usual, env.PATHEXT)
    if (beside.kind === 'found') {
      return { ...beside, source: 'found', folders: [dirname(beside.file)] }
    }
    return { kind: 'missing', lookedIn: [...new Set([...onPath.lookedIn, ...beside.lookedIn])] }
  }

  /** A program on the PATH of this environment. */
  async onPathOf(
    env: Readonly<Record<string, string>>,
    command: string,
  ): Promise<string | undefined> {
    const result = await this.#resolve(command, pathOf(env), env.PATHEXT)
    return result.kind === 'found' ? result.file : undefined
  }

  async #source(folders: readonly string[]): Promise<EnvironmentSource> {
    const { environment: own, platform, isFromShell } = this.options
    return { own, platform, isFromShell, folders, loginPath: await this.options.loginPath.known() }
  }

  /** uv comes with the uvx that was set by hand. */
  async #besideUvx(command: string): Promise<string | undefined> {
    const uvx = command === 'uv' ? this.setPath('uvx') : undefined
    if (uvx === undefined || !isAbsolute(uvx)) return undefined
    const file = join(dirname(uvx), `uv${extname(uvx)}`)
    return (await isProgram(file)) ? file : undefined
  }

  #resolve(
    command: string,
    path: string,
    pathExt: string | undefined,
  ): ReturnType<typeof resolveCommand> {
    return resolveCommand(command, { path, pathExt, platform: this.options.platform })
  }
}

async function lookAt(
  file: string,
): Promise<FoundCommand | Extract<CommandSearch, { kind: 'missing' }>> {
  if (await isProgram(file)) return { kind: 'found', file, source: 'found', folders: [] }
  return { kind: 'missing', lookedIn: [dirname(file)] }
}
