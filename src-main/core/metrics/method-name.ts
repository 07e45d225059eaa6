/** The requests of MCP from a client to a server. */
const METHODS: ReadonlySet<string> = new Set([
  'completion/complete',
  'initialize',
  'logging/setLevel',
  'ping',
  'prompts/get',
  'prompts/list',
  'resources/list',
  'resources/read',
  'resources/subscribe',
  'resources/templates/list',
  'resources/unsubscribe',
  'server/discover',
  'tools/call',
  'tools/list',
])

/** The name of a method as it leaves this computer: `_OTHER` for one that MCP does not know, which may hold anything. */
export function methodName(method: string): string {
  return METHODS.has(method) ? method : '_OTHER'
}
