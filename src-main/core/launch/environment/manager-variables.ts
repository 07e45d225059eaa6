import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Size limit of a configuration file; a larger one is ignored. */
const MAX_FILE_LENGTH = 256 * 1024
const MAX_NAMES = 20
/** Matches `${NAME}`, as npm and pip read it; `${NAME?}` is optional. */
const REFERENCE = /(?<!\\)\$\{([A-Za-z_]\w{0,100})\??\}/gu
/** Matches the name of an index in uv.toml. */
const INDEX_NAME = /^\s*name\s*=\s*["']([\w.-]{1,100})["']/gmu

const NPM = new Set(['npx', 'npm', 'pnpm', 'pnpx', 'yarn', 'bun', 'bunx'])
const PYTHON = new Set(['uvx', 'uv', 'pipx', 'pip', 'pip3'])

/** A variable that a package manager's configuration file reads. */
export type ManagerVariable = {
  readonly name: string
  /** Path for display, such as `~/.npmrc`. */
  readonly file: string
  /** Whether the file works without it. */
  readonly isOptional: boolean
}

/** Locations of package managers' configuration files. */
export type ManagerContext = {
  readonly home: string
  readonly platform: NodeJS.Platform
  /** Reads a variable of the package manager's environment. */
  readonly variable: (name: string) => string | undefined
}

/** Returns the variables that the user's configuration reads for a package manager's command. Never rejects. */
export async function managerVariables(
  command: string,
  context: ManagerContext,
): Promise<readonly ManagerVariable[]> {
  const program = programName(command)
  const { home, variable } = context
  if (NPM.has(program)) {
    const named = variable('NPM_CONFIG_USERCONFIG') ?? variable('npm_config_userconfig')
    return referencesIn([named ?? join(home, '.npmrc')], context)
  }
  if (!PYTHON.has(program)) return []
  const uvFile = variable('UV_CONFIG_FILE') ?? join(configFolder(context), 'uv', 'uv.toml')
  const [ofUv, ofPip] = await Promise.all([
    indexCredentials(uvFile, context),
    referencesIn(pipFiles(context), context),
  ])
  return [...ofUv, ...ofPip].slice(0, MAX_NAMES)
}

function pipFiles(context: ManagerContext): string[] {
  const { home, platform, variable } = context
  const own = variable('PIP_CONFIG_FILE')
  const name = platform === 'win32' ? 'pip.ini' : 'pip.conf'
  return [
    ...(own === undefined ? [] : [own]),
    join(configFolder(context), 'pip', name),
    join(home, platform === 'win32' ? 'pip' : '.pip', name),
    ...(platform === 'darwin' ? [join(home, 'Library/Application Support/pip', name)] : []),
  ]
}

function configFolder({ home, platform, variable }: ManagerContext): string {
  if (platform === 'win32') return variable('APPDATA') ?? join(home, 'AppData', 'Roaming')
  return variable('XDG_CONFIG_HOME') ?? join(home, '.config')
}

async function referencesIn(
  files: readonly string[],
  context: ManagerContext,
): Promise<ManagerVariable[]> {
  const found = new Map<string, ManagerVariable>()
  for (const file of files)
    for (const [written, name = ''] of (await textOf(file)).matchAll(REFERENCE))
      found.set(name, { name, file: shownFile(file, context), isOptional: written.endsWith('?}') })
  return [...found.values()].slice(0, MAX_NAMES)
}

/** uv reads the credentials of a named index from variables with that name. */
async function indexCredentials(file: string, context: ManagerContext): Promise<ManagerVariable[]> {
  const text = await textOf(file)
  return [...text.matchAll(INDEX_NAME)].flatMap(([, name = '']) =>
    ['USERNAME', 'PASSWORD'].map((part) => ({
      name: `UV_INDEX_${name.toUpperCase().replace(/[^A-Z0-9]/gu, '_')}_${part}`,
      file: shownFile(file, context),
      isOptional: true,
    })),
  )
}

function shownFile(file: string, { home }: ManagerContext): string {
  return file.startsWith(`${home}/`) ? `~${file.slice(home.length)}` : file
}

/** Text without comments; most users have no such file. */
async function textOf(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text.length > MAX_FILE_LENGTH ? '' : text.replace(/^\s*[#;].*$/gmu, '')
}

/**
 * Returns the variables that a package manager gets when it starts a server, which inherits them. No credentials if the package is cached,
 * because then no registry is needed; all of them if the start fetches the package.
 */
export function startVariables(
  command: string,
  credentials: Readonly<Record<string, string>>,
  isFetched: boolean,
): Readonly<Record<string, string>> {
  if (!isFetched || Object.keys(credentials).length === 0) return credentials
  return NPM.has(programName(command)) ? { npm_config_prefer_offline: 'true' } : { UV_OFFLINE: '1' }
}

/** Returns the program name of a command that may be a path: `npx` for `C:\\nodejs\\npx.cmd`. */
export function programName(command: string): string {
  const name = command.slice(Math.max(command.lastIndexOf('/'), command.lastIndexOf('\\')) + 1)
  return name.replace(/\.(?:cmd|exe|bat)$/iu, '')
}
