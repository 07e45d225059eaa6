import { dirname, extname, isAbsolute, join } from 'node:path'

import { RunnerName } from '../../../../src-shared/domain/runner-name'
import type { RunnerView } from '../../../../src-shared/domain/running/runner-advice'
import type { Settings } from '../../../../src-shared/domain/state/settings'
import {
  childEnvironment,
  type EnvironmentSource,
  heldBackNames,
  pathOf,
} from '../environment/child-environment'
import type { LoginShell } from '../environment/login-shell'
import { type ManagerVariable, managerVariables } from '../environment/manager-variables'
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
  | {
      readonly kind: 'missing'
      readonly lookedIn: readonly string[]
      /** Why the login shell did not name its folders; without a full stop. */
      readonly shellTrouble?: string | undefined
    }
  /** The path that was set by hand is no program. */
  | { readonly kind: 'unusable'; readonly path: string }

/** The computer whose programs are found; `environment`: Patchbay's own variables. */
type RunnerPlace = {
  readonly platform: NodeJS.Platform
  readonly home: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

export type CommandFinderOptions = {
  readonly place: RunnerPlace
  readonly loginShell: LoginShell
  /** Whether Patchbay was started from a shell: then its own PATH comes before the login shell's. */
  readonly isFromShell: boolean
  readonly settings: () => Pick<Settings, 'runnerPaths'>
  /** How a child reaches the network; as Patchbay itself where it is missing. */
  readonly network?: (reader: EnvironmentReader) => Promise<EnvironmentSource['network']>
}

/** What a package manager reads from variables. */
export type ManagerVariables = {
  readonly values: Readonly<Record<string, string>>
  readonly unset: readonly ManagerVariable[]
}

/** Finds the programs of commands: the one set manually, else the one on the user's own PATH. */
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

  /**
   * The variables that the user's own configuration reads for a package manager: those that are set, by their values, and those
   * that are not. `planned` are the server's own.
   */
  async managerVariables(
    command: string,
    planned: Readonly<Record<string, string>>,
  ): Promise<ManagerVariables> {
    const { loginShell, place } = this.options
    const { home, platform, environment } = place
    const own = { ...(await loginShell.known()), ...environment, ...planned }
    const variable = (name: string): string | undefined =>
      Object.hasOwn(own, name) ? own[name] : undefined
    const values: Record<string, string> = {}
    const unset: ManagerVariable[] = []
    for (const one of await managerVariables(command, { home, platform, variable })) {
      const value = variable(one.name) ?? (await loginShell.valueOf(one.name))
      if (value !== undefined && value !== '') values[one.name] = value
      else if (!one.isOptional) unset.push(one)
    }
    return { values, unset }
  }

  /** Names of variables of this computer that servers don't get. */
  heldBack(): string[] {
    const { environment, platform } = this.options.place
    return heldBackNames(environment, platform)
  }

  /** The path that was set manually. */
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
    const { loginShell } = this.options
    await loginShell.refresh()
    const second = await this.look(command)
    if (second.kind === 'found' || isAbsolute(command)) return second
    await loginShell.more()
    const third = await this.look(command)
    return third.kind === 'found' ? third : { ...third, shellTrouble: loginShell.trouble }
  }

  /** One look at the folders that are known, whatever was set manually. */
  async look(command: string): Promise<FoundCommand | Extract<CommandSearch, { kind: 'missing' }>> {
    const { platform, home, environment } = this.options.place
    // Only a bundle, or a user manually, names a program by its path.
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
    const { isFromShell, place } = this.options
    const { environment: own, platform } = place
    return { own, platform, isFromShell, folders, shell: await this.options.loginShell.known() }
  }

  /** uv comes with the uvx that was set manually. */
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
    return resolveCommand(command, { path, pathExt, platform: this.options.place.platform })
  }
}

async function lookAt(
  file: string,
): Promise<FoundCommand | Extract<CommandSearch, { kind: 'missing' }>> {
  // Its neighbors are those that it was installed with.
  if (await isProgram(file))
    return { kind: 'found', file, source: 'found', folders: [dirname(file)] }
  return { kind: 'missing', lookedIn: [dirname(file)] }
}
