import { dirname, extname, isAbsolute, join } from 'node:path'

import { RunnerName } from '../../../../src-shared/domain/runner-name'
import type { Settings } from '../../../../src-shared/domain/state/settings'
import { cleanEnvironment } from '../environment/clean-environment'
import type { LoginShell } from '../environment/login-shell'
import { type ManagerVariable, managerVariables } from '../environment/manager-variables'
import { isProgram, resolveCommand, usualFolders } from './resolve-command'

/** The reader of an environment: a server, or a runner that fetches packages and gets the proxy's password. */
export type EnvironmentReader = 'server' | 'runner'

/** An existing command; `folders` come first on its children's PATH. */
export type FoundCommand = {
  readonly kind: 'found'
  readonly file: string
  readonly folders: readonly string[]
}

/** The location of a command, or the reason why it can't be found. */
export type CommandSearch =
  | FoundCommand
  | {
      readonly kind: 'missing'
      readonly lookedIn: readonly string[]
      /** The reason why the login shell didn't return its PATH; without a trailing period. */
      readonly shellProblem?: string | undefined
    }
  /** The path in Settings isn't a program. */
  | { readonly kind: 'unusable'; readonly path: string }

/** The computer whose programs are searched; `environment`: Patchbay's own variables. */
type RunnerContext = {
  readonly platform: NodeJS.Platform
  readonly home: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

export type CommandFinderOptions = {
  readonly place: RunnerContext
  readonly loginShell: LoginShell
  /** Whether Patchbay was started from a shell: then its own PATH precedes the login shell's. */
  readonly isFromShell: boolean
  readonly settings: () => Pick<Settings, 'runnerPaths'>
  /** A child's network variables; Patchbay's own if absent. */
  readonly network?: (reader: EnvironmentReader) => Promise<EnvironmentSource['network']>
}

/** Variables that a package manager reads. */
export type ManagerVariables = {
  readonly values: Readonly<Record<string, string>>
  readonly unset: readonly ManagerVariable[]
}

/** Finds the programs of commands: by the path in Settings, otherwise on the user's own PATH. */
export class CommandFinder {
  constructor(private readonly options: CommandFinderOptions) {}

  /** Returns the environment of a child with its planned variables. */
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
   * Returns the variables that the user's configuration reads for a package manager: the values of the set ones, and the names of the unset
   * ones. `planned` are the server's own.
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

  /** Returns the names of this computer's variables that servers don't get. */
  heldBack(): string[] {
    const { environment, platform } = this.options.place
    return withheldNames(environment, platform)
  }

  /** Returns the path in Settings. */
  setPath(command: string): string | undefined {
    const runner = RunnerName.safeParse(command).data
    const path = runner && this.options.settings().runnerPaths[runner]?.trim()
    return path === '' ? undefined : path
  }

  /** Finds a command. With `again`, a missing one is looked up on a fresh PATH of the login shell: it may just have been installed. */
  async find(command: string, { again = true } = {}): Promise<CommandSearch> {
    const path = this.setPath(command)
    if (path !== undefined) {
      const isUsable = isAbsolute(path) && (await isProgram(path))
      if (!isUsable) return { kind: 'unusable', path }
      return { kind: 'found', file: path, folders: [dirname(path)] }
    }
    const sibling = await this.#findNextToUvx(command)
    if (sibling !== undefined) return { kind: 'found', file: sibling, folders: [dirname(sibling)] }
    const first = await this.look(command)
    if (first.kind === 'found' || !again) return first
    const { loginShell } = this.options
    await loginShell.refresh()
    const second = await this.look(command)
    if (second.kind === 'found' || isAbsolute(command)) return second
    await loginShell.more()
    const third = await this.look(command)
    return third.kind === 'found' ? third : { ...third, shellProblem: loginShell.problem }
  }

  /** Searches the known folders once, ignoring the path in Settings. */
  async look(command: string): Promise<FoundCommand | Extract<CommandSearch, { kind: 'missing' }>> {
    const { platform, home, environment } = this.options.place
    // Only a bundle or a user names a program by its path.
    if (isAbsolute(command)) return checkFile(command)
    const env = childEnvironment(await this.#source([]), {})
    const onPath = await this.#resolve(command, pathOf(env), env.PATHEXT)
    if (onPath.kind === 'found') return { ...onPath, folders: [] }
    const usual = usualFolders(platform, home, environment).join(platform === 'win32' ? ';' : ':')
    const fallback = await this.#resolve(command, usual, env.PATHEXT)
    if (fallback.kind === 'found') {
      return { ...fallback, folders: [dirname(fallback.file)] }
    }
    return { kind: 'missing', lookedIn: [...new Set([...onPath.lookedIn, ...fallback.lookedIn])] }
  }

  /** Finds a program on the PATH of this environment. */
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

  /** uv is installed next to the uvx that Settings names. */
  async #findNextToUvx(command: string): Promise<string | undefined> {
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

async function checkFile(
  file: string,
): Promise<FoundCommand | Extract<CommandSearch, { kind: 'missing' }>> {
  // Programs in the same folder were installed together.
  if (await isProgram(file)) return { kind: 'found', file, folders: [dirname(file)] }
  return { kind: 'missing', lookedIn: [dirname(file)] }
}

/**
 * Variables of Patchbay's own environment that a server may see, in upper case: paths, addresses and choices without secrets.
 * docs/runners.md lists them. Everything else, above all other programs' tokens, is omitted.
 */
const INHERITED = new Set([
  // The account, its language and its desktop.
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TERM', 'LANG', 'LANGUAGE', 'TZ'],
  ...['TMPDIR', 'TEMP', 'TMP', 'DBUS_SESSION_BUS_ADDRESS'],
  ...['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY'],
  ...['SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'COMSPEC', 'PATHEXT', 'APPDATA', 'LOCALAPPDATA'],
  ...['USERPROFILE', 'USERNAME', 'HOMEDRIVE', 'HOMEPATH', 'OS'],
  ...['NUMBER_OF_PROCESSORS', 'PROCESSOR_ARCHITECTURE'],
  // The network and the certificates that it needs.
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY', 'FTP_PROXY'],
  ...['NODE_EXTRA_CA_CERTS', 'NODE_USE_SYSTEM_CA', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
  ...['REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'AWS_CA_BUNDLE', 'PIP_CERT', 'DENO_CERT'],
  ...['GIT_SSL_CAINFO', 'GIT_SSL_CAPATH', 'CARGO_HTTP_CAINFO', 'UV_NATIVE_TLS', 'UV_SYSTEM_CERTS'],
  // Sockets of agents that hold keys: a server can use the keys but not read them.
  ...['SSH_AUTH_SOCK', 'SSH_AGENT_PID', 'GPG_AGENT_INFO', 'GNUPGHOME'],
  // Homes of tools.
  ...['JAVA_HOME', 'GOPATH', 'GOROOT', 'GOBIN', 'CARGO_HOME', 'RUSTUP_HOME', 'GEM_HOME'],
  ...['NVM_DIR', 'FNM_DIR', 'VOLTA_HOME', 'PNPM_HOME', 'BUN_INSTALL', 'DENO_DIR', 'COREPACK_HOME'],
  ...['PYENV_ROOT', 'PIPX_HOME', 'PIPX_BIN_DIR', 'ASDF_DIR', 'ASDF_DATA_DIR', 'MISE_DATA_DIR'],
  ...['HOMEBREW_PREFIX', 'ANDROID_HOME', 'ANDROID_SDK_ROOT', 'DOTNET_ROOT', 'DOTNET_CLI_HOME'],
  ...['KUBECONFIG', 'CONTAINER_HOST', 'GIT_CONFIG_GLOBAL', 'GH_CONFIG_DIR', 'CLOUDSDK_CONFIG'],
  ...['AZURE_CONFIG_DIR', 'AWS_CONFIG_FILE', 'AWS_PROFILE', 'AWS_REGION', 'AWS_DEFAULT_REGION'],
  // Caches and package indexes of runners.
  ...['NPM_CONFIG_REGISTRY', 'NPM_CONFIG_CACHE', 'NPM_CONFIG_USERCONFIG', 'NUGET_PACKAGES'],
  ...['UV_CACHE_DIR', 'UV_DEFAULT_INDEX', 'UV_INDEX_URL', 'UV_TOOL_DIR', 'UV_CONFIG_FILE'],
  ...['UV_PYTHON', 'UV_PYTHON_INSTALL_DIR', 'UV_PYTHON_PREFERENCE', 'UV_INDEX_STRATEGY'],
  ...['PIP_CACHE_DIR', 'PIP_CONFIG_FILE', 'PIP_TRUSTED_HOST', 'GOMODCACHE', 'GONOSUMDB'],
])
/** More addresses of package indexes. An address with a user or a password is omitted. */
const INDEXES = new Set([
  ...['UV_INDEX', 'UV_EXTRA_INDEX_URL', 'UV_FIND_LINKS', 'UV_PYTHON_INSTALL_MIRROR'],
  ...['PIP_INDEX_URL', 'PIP_EXTRA_INDEX_URL', 'PIP_FIND_LINKS', 'GOPROXY'],
])
const USER_INFO = /:\/\/[^\s/?#,]*@/
const FAMILIES = /^(LC|XDG|DOCKER)_|^PROGRAM(DATA|FILES|W6432)/
/** A prefix must not include names that look like secrets. */
const SECRET_LIKE = /PASS|TOKEN|SECRET|CREDENTIAL|AUTH|API_?KEY/

/** Sources of a child's variables. */
export type EnvironmentSource = {
  readonly own: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  /** The login shell's variables: an app started from a dock has a bare PATH, and none of the profile's variables. */
  readonly shell?: Readonly<Record<string, string>> | undefined
  /** Whether Patchbay was started from a shell: then its own PATH precedes the login shell's. */
  readonly isFromShell?: boolean | undefined
  /** Folders that come first on the PATH. */
  readonly folders?: readonly string[]
  /** Network variables, which override inherited ones; an undefined one is removed. */
  readonly network?: Readonly<Record<string, string | undefined>>
}

/**
 * Builds the whole environment of a child. Inherits the variables of `own` without a wrapper's, and the login shell's if `own` lacks them.
 * PATH starts with `folders` and the login shell's. The network's variables override these, and `planned` overrides all. A planned name
 * removes its other spellings, because programs read `https_proxy` and `HTTPS_PROXY` alike. On case-sensitive systems, PATH stays.
 */
export function childEnvironment(
  source: EnvironmentSource,
  planned: Readonly<Record<string, string>>,
): Record<string, string> {
  const { own, platform, shell = {}, folders = [], network = {} } = source
  // The PATHs are merged below.
  const { PATH: loginPath, ...ofShell } = shell
  const variables = { ...ofShell, ...cleanEnvironment(own, platform) }
  const inherited = Object.entries(variables).filter(([name, value]) => isInherited(name, value))
  const env = withoutDuplicates(withNetwork(inherited, network, planned), platform)
  const ownPath = pathOf(Object.fromEntries(env))
  const paths = source.isFromShell === true ? [ownPath, loginPath] : [loginPath, ownPath]
  const path = joinPaths([...folders, ...paths], platform)
  if (path !== '') env.push(['PATH', path])
  const set = upperNames(planned)
  const kept = env.filter(([name]) => {
    const upper = name.toUpperCase()
    return !set.has(upper) || (upper === 'PATH' && platform !== 'win32')
  })
  return Object.fromEntries(withoutDuplicates([...kept, ...Object.entries(planned)], platform))
}

/** Names that shells and this program set for themselves, which no server needs. */
const SHELL_NAMES =
  /^(?:_|PWD|OLDPWD|SHLVL|PS\d|HIST\w*|LS_COLORS|LESS\w*|PATCHBAY_\w+|NODE_ENV|INIT_CWD|npm_\w+)$/u

/** Returns the names of variables in `own` that a child doesn't get, in order: a user may pass those that it needs. */
export function withheldNames(
  own: EnvironmentSource['own'],
  platform: EnvironmentSource['platform'],
): string[] {
  return Object.entries(cleanEnvironment(own, platform))
    .filter(([name, value]) => !isInherited(name, value) && !SHELL_NAMES.test(name))
    .map(([name]) => name)
    .toSorted()
}

function upperNames(variables: object): Set<string> {
  return new Set(Object.keys(variables).map((name) => name.toUpperCase()))
}

/** Planned names override the network's in either case. */
function withNetwork(
  inherited: Variables,
  network: NonNullable<EnvironmentSource['network']>,
  planned: Readonly<Record<string, string>>,
): Variables {
  const [named, set] = [upperNames(network), upperNames(planned)]
  const added = Object.entries(network).flatMap(([name, value]): Variables =>
    value === undefined || set.has(name.toUpperCase()) ? [] : [[name, value]],
  )
  return [...inherited.filter(([name]) => !named.has(name.toUpperCase())), ...added]
}

/** Returns the PATH of an environment, in any spelling. */
export function pathOf(env: Readonly<Record<string, string>>): string {
  const named = Object.entries(env).find(([name]) => name.toUpperCase() === 'PATH')
  return env.PATH ?? named?.[1] ?? ''
}

function isInherited(name: string, value: string): boolean {
  const upper = name.toUpperCase()
  if (INDEXES.has(upper)) return !USER_INFO.test(value)
  return INHERITED.has(upper) || (FAMILIES.test(upper) && !SECRET_LIKE.test(upper))
}

type Variables = [name: string, value: string][]

/** Keeps the last value of each name; on Windows also across spellings, which would both be passed on. */
function withoutDuplicates(env: Variables, platform: NodeJS.Platform): Variables {
  const byName = new Map<string, [string, string]>()
  for (const [name, value] of env) {
    const key = platform === 'win32' ? name.toUpperCase() : name
    byName.set(key, [platform === 'win32' && key === 'PATH' ? key : name, value])
  }
  return [...byName.values()]
}

function joinPaths(paths: readonly (string | undefined)[], platform: NodeJS.Platform): string {
  const delimiter = platform === 'win32' ? ';' : ':'
  const folders = paths.flatMap((path) => path?.split(delimiter) ?? [])
  return [...new Set(folders.filter((folder) => folder !== ''))].join(delimiter)
}
