import { posix, win32 } from 'node:path'

import { MCP_SERVERS, plainEntry } from './entry-forms'
import type { HostApp, HostPlace } from './host-app'

type Places = (paths: PlacePaths) => readonly string[]
type Usual = 'list' | 'entry'

/** An app as the tables have it; what most apps share is left out. */
export type AppRow = Omit<HostApp, Usual | 'files' | 'traces' | 'folder' | 'alsoReads'> &
  Partial<Pick<HostApp, Usual>> & {
    readonly traces: Places
    /** Or what they are called in each of its traces, which are folders then. */
    readonly files: Places | readonly string[]
    /** The file alone where it is written as that of the user is. */
    readonly folder?: string | HostApp['folder']
    readonly alsoReads?: Omit<NonNullable<HostApp['alsoReads']>, 'files'> & {
      readonly files: Places
    }
  }

/** Completes a row: most apps keep `mcpServers` in JSON, and take a command with its arguments. */
export function toHostApp(row: AppRow): HostApp {
  const { files, traces, folder, alsoReads, list = MCP_SERVERS, entry = plainEntry, ...rest } = row
  const on = (places: Places) => (place: HostPlace) => places(pathsOf(place))
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

function within(folders: Places, files: readonly string[]): Places {
  return (paths) =>
    folders(paths).flatMap((folder) => files.map((file) => paths.join(folder, file)))
}

/** The folders of a computer in which apps keep what is the user's, all absolute and in its own spelling. */
export type PlacePaths = ReturnType<typeof pathsOf>

/** Reads a place; a variable that names no absolute path counts as missing, as the app's own folder would depend on where it is started. */
function pathsOf(place: HostPlace) {
  const isWindows = place.platform === 'win32'
  const path = isWindows ? win32 : posix
  const join = (...parts: readonly string[]): string => path.join(...parts)
  /** The folder or file that a variable names, undefined where it is missing, empty or not absolute. */
  const named = (variable: string): string | undefined => {
    const value = variableOf(place, variable)?.trim()
    return value !== undefined && isPlain(value, isWindows) ? join(value) : undefined
  }
  /** Below the home folder. */
  const home = (...parts: readonly string[]): string => join(place.home, ...parts)
  /** Below `XDG_CONFIG_HOME`, else `~/.config`; for apps that do so on every system. */
  const config = (...parts: readonly string[]): string =>
    join(named('XDG_CONFIG_HOME') ?? home('.config'), ...parts)
  /** Where desktop apps keep their settings: `%APPDATA%`, `~/Library/Application Support`, or `config`. */
  const settings = (...parts: readonly string[]): string => {
    if (isWindows) return join(named('APPDATA') ?? home('AppData', 'Roaming'), ...parts)
    if (place.platform === 'darwin') return home('Library', 'Application Support', ...parts)
    return config(...parts)
  }
  /** Below `%LOCALAPPDATA%`; none where the computer has no Windows. */
  const local = (...parts: readonly string[]): string[] =>
    isWindows ? [join(named('LOCALAPPDATA') ?? home('AppData', 'Local'), ...parts)] : []
  /** The folder that a variable names, or one below the home folder. */
  const own = (variable: string, folder: string): string => named(variable) ?? home(folder)
  return { system: place.platform, home, config, settings, local, named, own, join }
}

/** Windows does not tell the case of a variable's name, and a copy of its environment does. */
function variableOf({ env, platform }: HostPlace, variable: string): string | undefined {
  if (platform !== 'win32') return env[variable]
  const name = Object.keys(env).find((key) => key.toUpperCase() === variable)
  return name === undefined ? undefined : env[name]
}

/** Absolute, with a drive or a share on Windows: `\tools` alone is another folder on each drive. */
function isPlain(path: string, isWindows: boolean): boolean {
  if (path.includes('\0')) return false
  return isWindows ? /^(?:[a-z]:[\\/]|\\\\[^\\])/iu.test(path) : posix.isAbsolute(path)
}
