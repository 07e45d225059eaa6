/** What the gateway can do for agents, whatever its servers can: they come and go behind it. */
export const GATEWAY_CAPABILITIES = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
}

/** Marks the requests of the bridge, whose messages come over stdio and so without the headers of tool parameters. */
export const BRIDGE_HEADER = 'patchbay-bridge'

/** Which parameter of a stateless request the header `Mcp-Name` repeats (MCP 2026-07-28, standard headers). */
export const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
}
