import type { AppPaths, AppRow } from './app-row'
import { DISABLED, localEntry, MCP_SERVERS } from './entry-forms'
import { MCP_SERVERS_COMMENTED, NOT_ENABLED, typedEntry } from './entry-forms'

/** Common parts of VS Code and its Insiders build; a project's file is listed once, because both read it. */
const CODE = {
  files: ['mcp.json'],
  list: { syntax: 'jsonc', keys: ['servers'], layout: 'map' },
  entry: typedEntry,
  reload: 'VS Code reads the file when it is saved. Start the server with “MCP: List Servers”.',
  toolLimit: 128,
  toolNames: { longest: 64, prefix: (entry: string) => `mcp_${entry}_` },
} as const

/** Editors with their own agent. */
export const EDITORS: readonly AppRow[] = [
  {
    hostId: 'cursor',
    name: 'Cursor',
    files: ({ home }) => [home('.cursor', 'mcp.json')],
    folder: '.cursor/mcp.json',
    traces: ({ home, settings }) => [home('.cursor'), settings('Cursor')],
    reload: 'Cursor reads the file when it is saved. Turn the server on in Cursor’s MCP settings.',
    toolLimit: 80,
    toolNames: { longest: 60, prefix: (entry) => `${entry}:` },
  },
  {
    ...CODE,
    hostId: 'vs-code',
    name: 'VS Code',
    folder: '.vscode/mcp.json',
    traces: ({ settings }) => [settings('Code', 'User')],
  },
  {
    ...CODE,
    hostId: 'vs-code-insiders',
    name: 'VS Code Insiders',
    traces: ({ settings }) => [settings('Code - Insiders', 'User')],
  },
  {
    hostId: 'devin',
    name: 'Devin',
    list: MCP_SERVERS_COMMENTED,
    folder: '.devin/config.json',
    traces: ({ home, settings, system }) => [
      system === 'win32' ? settings('devin') : home('.config', 'devin'),
    ],
    files: ['mcp_config.json', 'config.json'],
    reload: 'Devin reads the file when a session starts.',
  },
  {
    hostId: 'windsurf',
    name: 'Windsurf',
    traces: ({ home }) => [home('.codeium', 'windsurf')],
    files: ['mcp_config.json'],
    reload: 'Windsurf reads the file after Refresh under Cascade > MCP servers.',
    toolLimit: 100,
  },
  {
    hostId: 'zed',
    name: 'Zed',
    list: { syntax: 'jsonc', keys: ['context_servers'], layout: 'map' },
    folder: '.zed/settings.json',
    traces: (paths) => [zedFolder(paths)],
    files: ['settings.json'],
    // Without `source`: Zed removes it from entries.
    off: NOT_ENABLED,
    reload: 'Zed reads the file when it is saved.',
  },
  {
    hostId: 'kiro',
    name: 'Kiro',
    folder: '.kiro/settings/mcp.json',
    traces: ({ home }) => [home('.kiro')],
    files: ['settings/mcp.json'],
    off: DISABLED,
    reload: 'Kiro reads the file when it is saved. The Kiro CLI reads it at startup.',
  },
  {
    hostId: 'antigravity',
    name: 'Antigravity',
    // Since version 2.0 its editor and its command line share the first file.
    files: ({ home }) =>
      ['config', 'antigravity'].map((folder) => home('.gemini', folder, 'mcp_config.json')),
    folder: '.agents/mcp_config.json',
    traces: ({ home }) => [
      home('.gemini', 'antigravity'),
      home('.gemini', 'antigravity-cli'),
      home('.antigravity'),
    ],
    off: DISABLED,
    reload:
      'Antigravity reads the file after Refresh under MCP servers > Manage MCP servers. Its command line reads it at startup.',
  },
]

function zedFolder({ config, home, settings, system }: AppPaths): string {
  if (system === 'win32') return settings('Zed')
  return system === 'darwin' ? home('.config', 'zed') : config('zed')
}

/** Agents that run in an editor. */
export const EDITOR_EXTENSIONS: readonly AppRow[] = [
  {
    hostId: 'cline',
    name: 'Cline',
    files: (paths) => [
      clineFile(paths),
      ...storedBy(paths, 'saoudrizwan.claude-dev', 'settings', 'cline_mcp_settings.json'),
    ],
    traces: (paths) => [
      paths.own('CLINE_DIR', '.cline'),
      ...storedBy(paths, 'saoudrizwan.claude-dev'),
    ],
    off: DISABLED,
    reload: 'Cline reads the file when it is saved. The Cline CLI reads it at startup.',
  },
  {
    hostId: 'roo-code',
    name: 'Roo Code',
    folder: '.roo/mcp.json',
    traces: (paths) => storedBy(paths, 'rooveterinaryinc.roo-cline'),
    files: ['settings/mcp_settings.json'],
    off: DISABLED,
    reload: 'Roo Code reads the file when it is saved.',
  },
  {
    hostId: 'continue',
    name: 'Continue',
    list: { syntax: 'yaml', keys: ['mcpServers'], layout: 'list' },
    // Continue rejects a file without these three lines.
    newFile: 'name: Local Config\nversion: 1.0.0\nschema: v1\n',
    folder: { file: '.continue/mcpServers/mcp.json', list: MCP_SERVERS },
    traces: ({ home }) => [home('.continue')],
    files: ['config.yaml'],
    reload: 'Continue reads the file when it is saved. Its tools are available in agent mode only.',
  },
  {
    hostId: 'kilo-code',
    name: 'Kilo Code',
    files: ({ config }) => ['kilo.jsonc', 'kilo.json'].map((file) => config('kilo', file)),
    list: { syntax: 'jsonc', keys: ['mcp'], layout: 'map' },
    folder: '.kilo/kilo.jsonc',
    alsoReads: {
      files: (paths) => [
        ...storedBy(paths, 'kilocode.kilo-code', 'settings', 'mcp_settings.json'),
        paths.home('.kilocode', 'cli', 'global', 'settings', 'mcp_settings.json'),
      ],
      folder: ['.kilocode/mcp.json'],
      list: MCP_SERVERS,
      off: DISABLED,
    },
    traces: (paths) => [
      paths.config('kilo'),
      paths.home('.kilocode'),
      ...storedBy(paths, 'kilocode.kilo-code'),
    ],
    entry: localEntry,
    off: NOT_ENABLED,
    reload: 'Kilo Code reads the file at startup. Reload the window, or start the CLI again.',
  },
  {
    hostId: 'amazon-q',
    name: 'Amazon Q Developer',
    // Both of its parts read this file; they would list a server from the other files twice, among the tools.
    folder: '.amazonq/mcp.json',
    alsoReads: {
      files: ({ home }) =>
        ['default.json', 'agents/default.json'].map((file) => home('.aws', 'amazonq', file)),
      folder: ['.amazonq/default.json', '.amazonq/agents/default.json'],
      list: MCP_SERVERS,
      off: DISABLED,
    },
    traces: ({ home }) => [home('.aws', 'amazonq')],
    files: ['mcp.json'],
    off: DISABLED,
    reload: 'Amazon Q reads the file at startup. Restart the editor, or start the CLI again.',
  },
  {
    hostId: 'junie',
    name: 'Junie',
    folder: '.junie/mcp/mcp.json',
    traces: ({ home }) => [home('.junie')],
    files: ['mcp/mcp.json'],
    reload: 'Junie reads the file when a session starts. End the session and start a new one.',
  },
]

/** Returns the file that Cline's extension and command line share, with the variables that move it. */
function clineFile({ join, named, own }: AppPaths): string {
  const folder = named('CLINE_DATA_DIR') ?? join(own('CLINE_DIR', '.cline'), 'data')
  return named('CLINE_MCP_SETTINGS_PATH') ?? join(folder, 'settings', 'cline_mcp_settings.json')
}

/** Returns an extension's storage folder, or a file in it, for VS Code and its Insiders build. */
function storedBy({ settings }: AppPaths, ...path: readonly string[]): string[] {
  return ['Code', 'Code - Insiders'].map((editor) =>
    settings(editor, 'User', 'globalStorage', ...path),
  )
}
