import type { HostApp, HostList, HostValue } from './host-app'

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
