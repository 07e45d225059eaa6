import type { HostApp, HostList } from './host-app'

/** The entry that most apps take: a command and its arguments. */
export const plainEntry: HostApp['entry'] = ({ command, args }) => ({ command, args })

/** The same for apps that want the transport named. */
export const typedEntry: HostApp['entry'] = ({ command, args }) => ({
  type: 'stdio',
  command,
  args,
})

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
