/** Capabilities of the gateway for agents; independent of its servers, which come and go. */
export const GATEWAY_CAPABILITIES = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
}

/** Marks requests of the bridge, whose messages come over stdio and therefore lack the headers of tool parameters. */
export const BRIDGE_HEADER = 'patchbay-bridge'

/** The parameter of a stateless request that the header `Mcp-Name` repeats (MCP 2026-07-28, standard headers). */
export const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
}
