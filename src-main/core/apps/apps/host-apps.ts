import { type AppPaths, type AppRow, toHostApp } from './app-row'
import { COMMAND_LINES } from './command-lines'
import { EDITOR_EXTENSIONS, EDITORS } from './editors'
import { NOT_ENABLED, variables } from './entry-forms'
import type { HostApp } from './host-app'

/** Claude's package in the Windows store, which reads a private copy of `%APPDATA%`. */
const CLAUDE_PACKAGE = ['Packages', 'Claude_pzs8sxrjxfjjc', 'LocalCache', 'Roaming']

const DESKTOP_APPS: readonly AppRow[] = [
  {
    hostId: 'claude-desktop',
    name: 'Claude Desktop',
    traces: ({ local, settings }) => [...local(...CLAUDE_PACKAGE, 'Claude'), settings('Claude')],
    files: ['claude_desktop_config.json'],
    refusesMark: true,
    reload: 'Claude Desktop reads the file at startup. Quit it and start it again.',
  },
  {
    hostId: 'lm-studio',
    name: 'LM Studio',
    traces: ({ home }) => [home('.lmstudio'), home('.cache', 'lm-studio')],
    files: ['mcp.json'],
    reload: 'LM Studio reads the file at startup, or when saved in its own editor.',
  },
  {
    hostId: 'goose',
    name: 'Goose',
    list: { syntax: 'yaml', keys: ['extensions'], layout: 'map' },
    traces: (paths) => [gooseFolder(paths)],
    files: ['config.yaml'],
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
    traces: ({ settings }) => [settings('anythingllm-desktop', 'storage')],
    files: ['plugins/anythingllm_mcp_servers.json'],
    reload: 'AnythingLLM reads the file after Refresh under Agent Skills > MCP Servers.',
  },
  {
    hostId: 'jan',
    name: 'Jan',
    traces: janFolders,
    files: ['mcp_config.json'],
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

/** Returns Jan's data folders; on Linux, older versions used the settings folder. */
function janFolders({ home, join, named, settings, system }: AppPaths): string[] {
  const older = settings('Jan', 'data')
  if (system !== 'linux') return [older]
  return [join(named('XDG_DATA_HOME') ?? home('.local', 'share'), 'Jan', 'data'), older]
}

function gooseFolder({ config, join, named, settings, system }: AppPaths): string {
  const root = named('GOOSE_PATH_ROOT')
  if (root !== undefined) return join(root, 'config')
  return system === 'win32' ? settings('Block', 'goose', 'config') : config('goose')
}

/** Apps whose files their vendors document; `docs/apps.md` names the omitted ones. */
export const HOST_APPS: readonly HostApp[] = [
  ...DESKTOP_APPS,
  ...EDITORS,
  ...COMMAND_LINES,
  ...EDITOR_EXTENSIONS,
].map(toHostApp)
