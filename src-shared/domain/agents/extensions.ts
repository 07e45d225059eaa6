/** Pages that a server draws in its host (MCP Apps, SEP-1865). */
export const UI_EXTENSION = 'io.modelcontextprotocol/ui'

/** The extensions of MCP that Patchbay announces, with the settings of each. */
export const PASSED_EXTENSIONS: Record<string, Record<string, string[]>> = {
  [UI_EXTENSION]: { mimeTypes: ['text/html;profile=mcp-app'] },
  // Calls whose results a server gives later (SEP-2663).
  'io.modelcontextprotocol/tasks': {},
  // Instructions that a server has for agents, as resources (SEP-2640).
  'io.modelcontextprotocol/skills': {},
}
