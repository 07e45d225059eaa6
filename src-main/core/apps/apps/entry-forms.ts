import type { HostApp, HostList, HostValue } from './host-app'

/** The entry format of most apps: a command and its arguments. */
export const plainEntry: HostApp['entry'] = ({ command, args, env }) => ({
  command,
  args,
  ...variables('env', env),
})

/** The entry format with a named transport. */
export const typedEntry: HostApp['entry'] = (launch) => ({ type: 'stdio', ...plainEntry(launch) })

/** The entry format of OpenCode and its forks. */
export const localEntry: HostApp['entry'] = ({ command, args, env }) => ({
  type: 'local',
  command: [command, ...args],
  ...variables('environment', env),
  enabled: true,
})

/** Returns the entry's member with the program's variables; empty if there are none. */
export function variables(
  key: string,
  env: Readonly<Record<string, string>>,
): Readonly<Record<string, HostValue>> {
  return Object.keys(env).length > 0 ? { [key]: env } : {}
}

/** The list format of most apps. */
export const MCP_SERVERS = {
  syntax: 'json',
  keys: ['mcpServers'],
  layout: 'map',
} as const satisfies HostList

/** The same list format with comments. */
export const MCP_SERVERS_COMMENTED = { ...MCP_SERVERS, syntax: 'jsonc' } as const satisfies HostList

/** Turns an entry off, in apps with `disabled`. */
export const DISABLED = { key: 'disabled', value: true } as const

/** Turns an entry off, in apps with `enabled`. */
export const NOT_ENABLED = { key: 'enabled', value: false } as const
