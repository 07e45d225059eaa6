import {
  DISABLED,
  MCP_SERVERS,
  MCP_SERVERS_COMMENTED,
  NOT_ENABLED,
  plainEntry,
  typedEntry,
} from './entry-forms'
import type { HostApp, HostList } from './host-app'
import { pathsOf } from './place-paths'

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
