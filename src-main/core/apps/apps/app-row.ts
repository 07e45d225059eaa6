import { posix, win32 } from 'node:path'

import { MCP_SERVERS, plainEntry } from './entry-forms'
import type { HostApp, PathContext } from './host-app'

type PathResolver = (paths: AppPaths) => readonly string[]
type Usual = 'list' | 'entry'

/** A row of the app tables; omits what most apps share. */
export type AppRow = Omit<HostApp, Usual | 'files' | 'traces' | 'folder' | 'alsoReads'> &
  Partial<Pick<HostApp, Usual>> & {
    readonly traces: PathResolver
    /** File locations, or file names within each trace, which is then a folder. */
    readonly files: PathResolver | readonly string[]
    /** Only the file name if the project's file has the user file's format. */
    readonly folder?: string | HostApp['folder']
    readonly alsoReads?: Omit<NonNullable<HostApp['alsoReads']>, 'files'> & {
      readonly files: PathResolver
    }
  }

/** Completes a row with defaults: `mcpServers` in JSON, and an entry with command and arguments. */
export function toHostApp(row: AppRow): HostApp {
  const { files, traces, folder, alsoReads, list = MCP_SERVERS, entry = plainEntry, ...rest } = row
  const on = (resolvePaths: PathResolver) => (context: PathContext) =>
    resolvePaths(pathsOf(context))
  return {
    ...rest,
    list,
    entry,
    files: on(typeof files === 'function' ? files : within(traces, files)),
    traces: on(traces),
    ...(folder !== undefined && {
      folder: typeof folder === 'string' ? { file: folder, list } : folder,
    }),
    ...(alsoReads && { alsoReads: { ...alsoReads, files: on(alsoReads.files) } }),
  }
}

function within(folders: PathResolver, files: readonly string[]): PathResolver {
  return (paths) =>
    folders(paths).flatMap((folder) => files.map((file) => paths.join(folder, file)))
}

/** The folders in which apps keep user data, all absolute and in the platform's spelling. */
export type AppPaths = ReturnType<typeof pathsOf>

/**
 * Resolves the folders of a computer. A variable without an absolute path counts as unset, because it would depend on the app's working
 * folder.
 */
function pathsOf(context: PathContext) {
  const isWindows = context.platform === 'win32'
  const path = isWindows ? win32 : posix
  const join = (...parts: readonly string[]): string => path.join(...parts)
  /** Returns the path in a variable; undefined if it is unset, empty or not absolute. */
  const named = (variable: string): string | undefined => {
    const value = variableOf(context, variable)?.trim()
    return value !== undefined && isPlain(value, isWindows) ? join(value) : undefined
  }
  /** Joins a path below the home folder. */
  const home = (...parts: readonly string[]): string => join(context.home, ...parts)
  /** Joins a path below `XDG_CONFIG_HOME` or `~/.config`; for apps that use it on every system. */
  const config = (...parts: readonly string[]): string =>
    join(named('XDG_CONFIG_HOME') ?? home('.config'), ...parts)
  /** Joins a path below the settings folder of desktop apps: `%APPDATA%`, `~/Library/Application Support`, or `config`. */
  const settings = (...parts: readonly string[]): string => {
    if (isWindows) return join(named('APPDATA') ?? home('AppData', 'Roaming'), ...parts)
    if (context.platform === 'darwin') return home('Library', 'Application Support', ...parts)
    return config(...parts)
  }
  /** Joins a path below `%LOCALAPPDATA%`; empty unless on Windows. */
  const local = (...parts: readonly string[]): string[] =>
    isWindows ? [join(named('LOCALAPPDATA') ?? home('AppData', 'Local'), ...parts)] : []
  /** Returns the folder in a variable, or one below the home folder. */
  const own = (variable: string, folder: string): string => named(variable) ?? home(folder)
  return { system: context.platform, home, config, settings, local, named, own, join }
}

/** Variable names are case-insensitive on Windows, but not in a copy of the environment. */
function variableOf({ env, platform }: PathContext, variable: string): string | undefined {
  if (platform !== 'win32') return env[variable]
  const name = Object.keys(env).find((key) => key.toUpperCase() === variable)
  return name === undefined ? undefined : env[name]
}

/** Whether a path is absolute, on Windows with a drive or a share: `\tools` is another folder on each drive. */
function isPlain(path: string, isWindows: boolean): boolean {
  if (path.includes('\0')) return false
  return isWindows ? /^(?:[a-z]:[\\/]|\\\\[^\\])/iu.test(path) : posix.isAbsolute(path)
}
