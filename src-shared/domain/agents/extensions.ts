/** Views: pages that a server renders in its host (MCP Apps, SEP-1865). */
export const UI_EXTENSION = 'io.modelcontextprotocol/ui'

/** MCP extensions that Patchbay announces, with their settings. */
export const PASSED_EXTENSIONS: Record<string, Record<string, string[]>> = {
  [UI_EXTENSION]: { mimeTypes: ['text/html;profile=mcp-app'] },
  // Calls whose results come later (SEP-2663).
  'io.modelcontextprotocol/tasks': {},
  // A server's instructions for agents, as resources (SEP-2640).
  'io.modelcontextprotocol/skills': {},
}
