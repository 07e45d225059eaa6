import { DISABLED, localEntry, MCP_SERVERS, NOT_ENABLED, plainEntry } from './entry-forms'
import type { HostApp, HostList, HostPlace } from './host-app'
import { pathsOf } from './place-paths'

const KILO_LIST: HostList = { syntax: 'jsonc', keys: ['mcp'], layout: 'map' }

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
  {
    hostId: 'kilo-code',
    name: 'Kilo Code',
    source:
      'kilo.ai/docs: Using MCP in Kilo Code, Using MCP in the CLI; github.com/Kilo-Org/kilocode; read 2026-11-28',
    files: (place) =>
      ['kilo.jsonc', 'kilo.json'].map((file) => pathsOf(place).config('kilo', file)),
    list: KILO_LIST,
    folder: { file: '.kilo/kilo.jsonc', list: KILO_LIST },
    alsoReads: {
      files: (place) => [
        ...storedBy(place, 'kilocode.kilo-code', 'mcp_settings.json'),
        pathsOf(place).home('.kilocode', 'cli', 'global', 'settings', 'mcp_settings.json'),
      ],
      folder: ['.kilocode/mcp.json'],
      list: MCP_SERVERS,
      off: DISABLED,
    },
    traces: (place) => [
      pathsOf(place).config('kilo'),
      pathsOf(place).home('.kilocode'),
      ...storageOf(place, 'kilocode.kilo-code'),
    ],
    entry: localEntry,
    off: NOT_ENABLED,
    reload: 'Kilo Code reads the file at startup. Reload the window, or start the CLI again.',
  },
  {
    hostId: 'amazon-q',
    name: 'Amazon Q Developer',
    source:
      'docs.aws.amazon.com/amazonq: MCP configuration for Q Developer in the IDE; github.com/aws/language-servers: mcpUtils.ts; read 2026-11-28',
    // Both of its parts read this one; a server in the others is listed there a second time, among the tools.
    files: (place) => [pathsOf(place).home('.aws', 'amazonq', 'mcp.json')],
    list: MCP_SERVERS,
    folder: { file: '.amazonq/mcp.json', list: MCP_SERVERS },
    alsoReads: {
      files: (place) =>
        [['default.json'], ['agents', 'default.json']].map((file) =>
          pathsOf(place).home('.aws', 'amazonq', ...file),
        ),
      folder: ['.amazonq/default.json', '.amazonq/agents/default.json'],
      list: MCP_SERVERS,
      off: DISABLED,
    },
    traces: (place) => [pathsOf(place).home('.aws', 'amazonq')],
    entry: plainEntry,
    off: DISABLED,
    reload: 'Amazon Q reads the file at startup. Restart the editor, or start the CLI again.',
  },
  {
    hostId: 'junie',
    name: 'Junie',
    source:
      'jetbrains.com/help/junie, junie.jetbrains.com/docs: MCP settings, CLI MCP configuration; read 2026-11-28',
    files: (place) => [pathsOf(place).home('.junie', 'mcp', 'mcp.json')],
    list: MCP_SERVERS,
    folder: { file: '.junie/mcp/mcp.json', list: MCP_SERVERS },
    traces: (place) => [pathsOf(place).home('.junie')],
    entry: plainEntry,
    reload: 'Junie reads the file when a session starts. End the session and start a new one.',
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
