import { posix, win32 } from 'node:path'

import type { HostPlace } from './host-app'

/** The folders of a computer in which apps keep what is the user's, all absolute and in its own spelling. */
export type PlacePaths = {
  /** Below the home folder. */
  readonly home: (...parts: readonly string[]) => string
  /** Below `XDG_CONFIG_HOME`, else `~/.config`; for apps that do so on every system. */
  readonly config: (...parts: readonly string[]) => string
  /** Where desktop apps keep their settings: `%APPDATA%`, `~/Library/Application Support`, or `config`. */
  readonly settings: (...parts: readonly string[]) => string
  /** Below `%LOCALAPPDATA%`; undefined where the computer has no Windows. */
  readonly local: (...parts: readonly string[]) => string | undefined
  /** The folder or file that a variable names, undefined where it is missing, empty or not absolute. */
  readonly named: (variable: string) => string | undefined
  readonly join: (...parts: readonly string[]) => string
}

/** Reads a place; a variable that names no absolute path counts as missing, as the app's own folder would depend on where it is started. */
export function pathsOf(place: HostPlace): PlacePaths {
  const isWindows = place.platform === 'win32'
  const path = isWindows ? win32 : posix
  const join = (...parts: readonly string[]): string => path.join(...parts)
  const named = (variable: string): string | undefined => {
    const value = variableOf(place, variable)?.trim()
    return value !== undefined && isPlain(value, isWindows) ? join(value) : undefined
  }
  const home = (...parts: readonly string[]): string => join(place.home, ...parts)
  const config = (...parts: readonly string[]): string =>
    join(named('XDG_CONFIG_HOME') ?? home('.config'), ...parts)
  const settings = (...parts: readonly string[]): string => {
    if (isWindows) return join(named('APPDATA') ?? home('AppData', 'Roaming'), ...parts)
    if (place.platform === 'darwin') return home('Library', 'Application Support', ...parts)
    return config(...parts)
  }
  const local = (...parts: readonly string[]): string | undefined =>
    isWindows ? join(named('LOCALAPPDATA') ?? home('AppData', 'Local'), ...parts) : undefined
  return { home, config, settings, local, named, join }
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
