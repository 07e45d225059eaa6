import { DISABLED, MCP_SERVERS, plainEntry } from './entry-forms'
import type { HostApp, HostPlace } from './host-app'
import { pathsOf } from './place-paths'

/** Agents that live in an editor. */
export const EDITOR_EXTENSIONS: readonly HostApp[] = [
  {
    hostId: 'cline',
    name: 'Cline',
    source:
      'docs.cline.bot/mcp; github.com/cline/cline: storage/paths.ts, mcp/config-loader.ts; read 2026-11-22',
    files: (place) => [
      clineFile(place),
      ...storedBy(place, 'saoudrizwan.claude-dev', 'cline_mcp_settings.json'),
    ],
    list: MCP_SERVERS,
    traces: (place) => [
      pathsOf(place).named('CLINE_DIR') ?? pathsOf(place).home('.cline'),
      ...storageOf(place, 'saoudrizwan.claude-dev'),
    ],
    entry: plainEntry,
    off: DISABLED,
    reload: 'Cline reads the file when it is saved. The Cline CLI reads it at startup.',
  },
  {
    hostId: 'roo-code',
    name: 'Roo Code',
    source:
      'docs.roocode.com/features/mcp/using-mcp-in-roo; github.com/RooCodeInc/Roo-Code: McpHub.ts; read 2026-11-22',
    files: (place) => storedBy(place, 'rooveterinaryinc.roo-cline', 'mcp_settings.json'),
    list: MCP_SERVERS,
    folder: { file: '.roo/mcp.json', list: MCP_SERVERS },
    traces: (place) => storageOf(place, 'rooveterinaryinc.roo-cline'),
    entry: plainEntry,
    off: DISABLED,
    reload: 'Roo Code reads the file when it is saved.',
  },
  {
    hostId: 'continue',
    name: 'Continue',
    source: 'docs.continue.dev: config.yaml reference, Model Context Protocol; read 2026-11-22',
    files: (place) => [pathsOf(place).home('.continue', 'config.yaml')],
    list: { syntax: 'yaml', keys: ['mcpServers'], layout: 'list' },
    // Continue takes no file without these three.
    newFile: 'name: Local Config\nversion: 1.0.0\nschema: v1\n',
    folder: { file: '.continue/mcpServers/mcp.json', list: MCP_SERVERS },
    traces: (place) => [pathsOf(place).home('.continue')],
    entry: plainEntry,
    reload: 'Continue reads the file when it is saved. Its tools are available in agent mode only.',
  },
]

/** The file that Cline's extension and command line share, with the variables that move it. */
function clineFile(place: HostPlace): string {
  const { home, join, named } = pathsOf(place)
  const folder = named('CLINE_DATA_DIR') ?? join(named('CLINE_DIR') ?? home('.cline'), 'data')
  return named('CLINE_MCP_SETTINGS_PATH') ?? join(folder, 'settings', 'cline_mcp_settings.json')
}

/** Where VS Code and its Insiders build let an extension keep its files. */
function storageOf(place: HostPlace, extension: string): string[] {
  const { settings } = pathsOf(place)
  return ['Code', 'Code - Insiders'].map((editor) =>
    settings(editor, 'User', 'globalStorage', extension),
  )
}

function storedBy(place: HostPlace, extension: string, file: string): string[] {
  const { join } = pathsOf(place)
  return storageOf(place, extension).map((folder) => join(folder, 'settings', file))
}
