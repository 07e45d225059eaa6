import {
  DISABLED,
  localEntry,
  MCP_SERVERS,
  MCP_SERVERS_COMMENTED,
  NOT_ENABLED,
  plainEntry,
  typedEntry,
} from './entry-forms'
import { pathsOf } from './entry-forms'
import type { HostApp, HostList, HostPlace } from './host-app'

const CODE_LIST: HostList = { syntax: 'jsonc', keys: ['servers'], layout: 'map' }
const ZED_LIST: HostList = { syntax: 'jsonc', keys: ['context_servers'], layout: 'map' }

/** What both kinds of VS Code have in common; a project's file is named once, as both read it. */
const CODE = {
  source:
    'code.visualstudio.com/docs: MCP configuration reference, User and workspace settings; github.com/microsoft/vscode: userDataPath.ts; read 2026-11-22',
  list: CODE_LIST,
  entry: typedEntry,
  reload: 'VS Code reads the file when it is saved. Start the server with “MCP: List Servers”.',
  toolLimit: 128,
  toolNames: { longest: 64, prefix: (entry: string) => `mcp_${entry}_` },
} as const

/** Editors with an agent of their own. */
export const EDITORS: readonly HostApp[] = [
  {
    hostId: 'cursor',
    name: 'Cursor',
    source: 'cursor.com/docs/mcp; read 2026-11-22',
    files: (place) => [pathsOf(place).home('.cursor', 'mcp.json')],
    list: MCP_SERVERS,
    folder: { file: '.cursor/mcp.json', list: MCP_SERVERS },
    traces: (place) => [pathsOf(place).home('.cursor'), pathsOf(place).settings('Cursor')],
    entry: plainEntry,
    reload: 'Cursor reads the file when it is saved. Turn the server on in Cursor’s MCP settings.',
    toolLimit: 80,
    toolNames: { longest: 60, prefix: (entry) => `${entry}:` },
  },
  {
    ...CODE,
    hostId: 'vs-code',
    name: 'VS Code',
    files: (place) => [pathsOf(place).settings('Code', 'User', 'mcp.json')],
    folder: { file: '.vscode/mcp.json', list: CODE_LIST },
    traces: (place) => [pathsOf(place).settings('Code', 'User')],
  },
  {
    ...CODE,
    hostId: 'vs-code-insiders',
    name: 'VS Code Insiders',
    files: (place) => [pathsOf(place).settings('Code - Insiders', 'User', 'mcp.json')],
    traces: (place) => [pathsOf(place).settings('Code - Insiders', 'User')],
  },
  {
    hostId: 'devin',
    name: 'Devin',
    source:
      'docs.devin.ai: CLI, Configuration file, for `config.json`; pages of others for `mcp_config.json`; read 2026-11-22',
    files: (place) => devinFiles(place),
    list: MCP_SERVERS_COMMENTED,
    folder: { file: '.devin/config.json', list: MCP_SERVERS_COMMENTED },
    traces: (place) => [pathsOf(place).join(devinFiles(place)[0], '..')],
    entry: plainEntry,
    reload: 'Devin reads the file when a session starts.',
  },
  {
    hostId: 'windsurf',
    name: 'Windsurf',
    source: 'docs.windsurf.com/windsurf/cascade/mcp; read 2026-11-22',
    files: (place) => [pathsOf(place).home('.codeium', 'windsurf', 'mcp_config.json')],
    list: MCP_SERVERS,
    traces: (place) => [pathsOf(place).home('.codeium', 'windsurf')],
    entry: plainEntry,
    reload: 'Windsurf reads the file after Refresh under Cascade > MCP servers.',
    toolLimit: 100,
  },
  {
    hostId: 'zed',
    name: 'Zed',
    source:
      'zed.dev/docs/ai/mcp; github.com/zed-industries/zed: paths.rs, settings_content/project.rs; read 2026-11-22',
    files: (place) => [pathsOf(place).join(zedFolder(place), 'settings.json')],
    list: ZED_LIST,
    folder: { file: '.zed/settings.json', list: ZED_LIST },
    traces: (place) => [zedFolder(place)],
    // Without `source`: Zed takes that out of entries that have it.
    entry: plainEntry,
    off: NOT_ENABLED,
    reload: 'Zed reads the file when it is saved.',
  },
  {
    hostId: 'kiro',
    name: 'Kiro',
    source:
      'kiro.dev/docs/mcp/configuration, kiro.dev/docs/cli/chat/configuration; read 2026-11-22',
    files: (place) => [pathsOf(place).home('.kiro', 'settings', 'mcp.json')],
    list: MCP_SERVERS,
    folder: { file: '.kiro/settings/mcp.json', list: MCP_SERVERS },
    traces: (place) => [pathsOf(place).home('.kiro')],
    entry: plainEntry,
    off: DISABLED,
    reload: 'Kiro reads the file when it is saved. The Kiro CLI reads it at startup.',
  },
  {
    hostId: 'antigravity',
    name: 'Antigravity',
    source:
      'antigravity.google/docs/mcp, antigravity.google/docs/gcli-migration; for `disabled`, checks of others in github.com/stbenjam/skillsaw; read 2026-11-28',
    // Since version 2.0 its editor and its command line share the first one.
    files: (place) =>
      ['config', 'antigravity'].map((folder) =>
        pathsOf(place).home('.gemini', folder, 'mcp_config.json'),
      ),
    list: MCP_SERVERS,
    folder: { file: '.agents/mcp_config.json', list: MCP_SERVERS },
    traces: (place) => [
      ...['antigravity', 'antigravity-cli'].map((folder) => pathsOf(place).home('.gemini', folder)),
      pathsOf(place).home('.antigravity'),
    ],
    entry: plainEntry,
    off: DISABLED,
    reload:
      'Antigravity reads the file after Refresh under MCP servers > Manage MCP servers. Its command line reads it at startup.',
  },
]

function devinFiles(place: Parameters<HostApp['files']>[0]): readonly [string, string] {
  const { home, settings } = pathsOf(place)
  const within = place.platform === 'win32' ? settings : home.bind(undefined, '.config')
  return [within('devin', 'mcp_config.json'), within('devin', 'config.json')]
}

function zedFolder(place: Parameters<HostApp['files']>[0]): string {
  const { config, home, settings } = pathsOf(place)
  if (place.platform === 'win32') return settings('Zed')
  return place.platform === 'darwin' ? home('.config', 'zed') : config('zed')
}

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
