import { posix, win32 } from 'node:path'

import type { HostApp, HostList, HostPlace, HostValue } from './host-app'

/** The entry that most apps take: a command and its arguments. */
export const plainEntry: HostApp['entry'] = ({ command, args, env }) => ({
  command,
  args,
  ...variables('env', env),
})

/** The same for apps that want the transport named. */
export const typedEntry: HostApp['entry'] = (launch) => ({ type: 'stdio', ...plainEntry(launch) })

/** The entry of OpenCode and of apps that were made from it. */
export const localEntry: HostApp['entry'] = ({ command, args, env }) => ({
  type: 'local',
  command: [command, ...args],
  ...variables('environment', env),
  enabled: true,
})

/** The member of an entry that holds variables of its program; none where there are none. */
export function variables(
  key: string,
  env: Readonly<Record<string, string>>,
): Readonly<Record<string, HostValue>> {
  return Object.keys(env).length > 0 ? { [key]: env } : {}
}

/** The list that most apps keep. */
export const MCP_SERVERS = {
  syntax: 'json',
  keys: ['mcpServers'],
  layout: 'map',
} as const satisfies HostList

/** The same where the app takes comments too. */
export const MCP_SERVERS_COMMENTED = { ...MCP_SERVERS, syntax: 'jsonc' } as const satisfies HostList

/** How several apps switch an entry off. */
export const DISABLED = { key: 'disabled', value: true } as const

/** How the others do. */
export const NOT_ENABLED = { key: 'enabled', value: false } as const

/** The folders of a computer in which apps keep what is the user's, all absolute and in its own spelling. */
type PlacePaths = {
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
