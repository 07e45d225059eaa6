import { COMMAND_LINES } from './command-lines'
import { EDITOR_EXTENSIONS } from './editors'
import { EDITORS } from './editors'
import { MCP_SERVERS, NOT_ENABLED, plainEntry, variables } from './entry-forms'
import { pathsOf } from './entry-forms'
import type { HostApp, HostPlace } from './host-app'

/** Its package in the store of Windows: what it reads of `%APPDATA%` is a copy of its own. */
const CLAUDE_PACKAGE = ['Packages', 'Claude_pzs8sxrjxfjjc', 'LocalCache', 'Roaming']

/** What AnythingLLM calls its storage. */
const ANYTHING_LLM = ['anythingllm-desktop', 'storage']

/** Apps to talk with. */
const DESKTOP_APPS: readonly HostApp[] = [
  {
    hostId: 'claude-desktop',
    name: 'Claude Desktop',
    source:
      'modelcontextprotocol.io: Connect to local MCP servers; reports in its makers’ tracker, github.com/anthropics/claude-code, for the package of Windows; read 2026-11-22',
    files: (place) =>
      claudeFolders(place).map((folder) =>
        pathsOf(place).join(folder, 'claude_desktop_config.json'),
      ),
    list: MCP_SERVERS,
    traces: claudeFolders,
    entry: plainEntry,
    refusesMark: true,
    reload: 'Claude Desktop reads the file at startup. Quit it and start it again.',
  },
  {
    hostId: 'lm-studio',
    name: 'LM Studio',
    source: 'lmstudio.ai/docs/app/mcp, lmstudio.ai/blog/lmstudio-v0.3.17; read 2026-11-22',
    files: (place) =>
      lmStudioFolders(place).map((folder) => pathsOf(place).join(folder, 'mcp.json')),
    list: MCP_SERVERS,
    traces: lmStudioFolders,
    entry: plainEntry,
    reload: 'LM Studio reads the file at startup, or when saved in its own editor.',
  },
  {
    hostId: 'goose',
    name: 'Goose',
    source:
      'github.com/block/goose: Configuration Files, config/paths.rs, agents/extension.rs; read 2026-11-22',
    files: (place) => [pathsOf(place).join(gooseFolder(place), 'config.yaml')],
    list: { syntax: 'yaml', keys: ['extensions'], layout: 'map' },
    traces: (place) => [gooseFolder(place)],
    entry: ({ command, args, env, name = 'patchbay' }) => ({
      enabled: true,
      type: 'stdio',
      name,
      description: 'Tools from Patchbay',
      cmd: command,
      args,
      envs: env,
      env_keys: [],
      timeout: 300,
    }),
    off: NOT_ENABLED,
    reload: 'Goose reads the file at startup. Quit it and start it again.',
  },
  {
    hostId: 'anythingllm',
    name: 'AnythingLLM',
    source:
      'docs.anythingllm.com: MCP compatibility, Desktop storage; pages of others for the folder on Linux; read 2026-11-28',
    files: (place) => [
      pathsOf(place).settings(...ANYTHING_LLM, 'plugins', 'anythingllm_mcp_servers.json'),
    ],
    list: MCP_SERVERS,
    traces: (place) => [pathsOf(place).settings(...ANYTHING_LLM)],
    entry: plainEntry,
    reload: 'AnythingLLM reads the file after Refresh under Agent Skills > MCP Servers.',
  },
  {
    hostId: 'jan',
    name: 'Jan',
    source:
      'jan.ai/docs: MCP Servers; github.com/janhq/jan: mcp/constants.rs, app/commands.rs; read 2026-11-28',
    files: (place) =>
      janFolders(place).map((folder) => pathsOf(place).join(folder, 'mcp_config.json')),
    list: MCP_SERVERS,
    traces: janFolders,
    entry: ({ command, args, env }) => ({
      command,
      args,
      env: {},
      ...variables('env', env),
      active: true,
    }),
    off: { key: 'active', value: false },
    reload: 'Jan reads the file at startup. Quit it and start it again.',
  },
]

function claudeFolders(place: HostPlace): string[] {
  const { local, settings } = pathsOf(place)
  const packaged = local(...CLAUDE_PACKAGE, 'Claude')
  return [...(packaged === undefined ? [] : [packaged]), settings('Claude')]
}

function lmStudioFolders(place: HostPlace): string[] {
  const { home } = pathsOf(place)
  return [home('.lmstudio'), home('.cache', 'lm-studio')]
}

/** Where Jan keeps its data; on Linux it once was among the settings. */
function janFolders(place: HostPlace): string[] {
  const { home, join, named, settings } = pathsOf(place)
  const older = settings('Jan', 'data')
  if (place.platform !== 'linux') return [older]
  return [join(named('XDG_DATA_HOME') ?? home('.local', 'share'), 'Jan', 'data'), older]
}

function gooseFolder(place: HostPlace): string {
  const { config, join, named, settings } = pathsOf(place)
  const root = named('GOOSE_PATH_ROOT')
  if (root !== undefined) return join(root, 'config')
  return place.platform === 'win32' ? settings('Block', 'goose', 'config') : config('goose')
}

/** The agent apps whose files are known, by their makers' texts; `docs/apps.md` says what was left out. */
export const HOST_APPS: readonly HostApp[] = [
  ...DESKTOP_APPS,
  ...EDITORS,
  ...COMMAND_LINES,
  ...EDITOR_EXTENSIONS,
]
