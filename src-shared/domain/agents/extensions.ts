/** Pages that a server draws in its host (MCP Apps, SEP-1865). */
export const UI_EXTENSION = 'io.modelcontextprotocol/ui'

/** The extensions of MCP that pass through Patchbay, with what is announced of each where the other side has it. */
export const PASSED_EXTENSIONS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  [UI_EXTENSION]: { mimeTypes: ['text/html;profile=mcp-app'] },
}
