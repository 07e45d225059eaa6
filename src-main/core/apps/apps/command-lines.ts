import type { AppPaths, AppRow } from './app-row'
import { DISABLED, localEntry, MCP_SERVERS_COMMENTED } from './entry-forms'
import { NOT_ENABLED, plainEntry, typedEntry } from './entry-forms'
import type { HostList } from './host-app'

const MCP_TABLES: HostList = { syntax: 'toml', keys: ['mcp_servers'], layout: 'map' }
/**
 * Codex passes only variables that its entry names: without these, the bridge finds no keychain on Linux, and no key from the environment.
 */
const KEY_VARIABLES = [
  'DBUS_SESSION_BUS_ADDRESS',
  'XDG_RUNTIME_DIR',
  'PATCHBAY_AGENT_KEY',
  'PATCHBAY_PASSPHRASE',
]
/** Agents in a terminal. */
export const COMMAND_LINES: readonly AppRow[] = [
  {
    hostId: 'claude-code',
    name: 'Claude Code',
    files: ({ home, join, named }) => [join(named('CLAUDE_CONFIG_DIR') ?? home(), '.claude.json')],
    folder: '.mcp.json',
    traces: ({ own }) => [own('CLAUDE_CONFIG_DIR', '.claude')],
    entry: typedEntry,
    switches: 'projects',
    refusesMark: true,
    documents:
      'Claude Code keeps the history of your projects in it, under projects. Remove old projects there.',
    reload:
      'Claude Code reads the file when a session starts. End the session and start a new one.',
    toolNames: { longest: 64, prefix: (entry) => `mcp__${entry}__` },
  },
  {
    hostId: 'codex',
    name: 'Codex',
    list: MCP_TABLES,
    folder: '.codex/config.toml',
    traces: ({ own }) => [own('CODEX_HOME', '.codex')],
    files: ['config.toml'],
    entry: (launch) => ({ ...plainEntry(launch), env_vars: KEY_VARIABLES }),
    off: NOT_ENABLED,
    reload: 'Codex reads the file at startup. End the session and start a new one.',
  },
  {
    hostId: 'gemini-cli',
    name: 'Gemini CLI',
    files: (paths) => geminiFiles(paths, 'settings.json'),
    list: MCP_SERVERS_COMMENTED,
    folder: '.gemini/settings.json',
    // The folder alone proves nothing: another app of the same vendor uses it, too.
    traces: (paths) => geminiFiles(paths, 'oauth_creds.json', 'installation_id'),
    switches: 'lists',
    expandsBareNames: true,
    reload: 'Gemini CLI reads the file at startup. Restart it in a trusted folder.',
    toolNames: { longest: 63, prefix: (entry) => `mcp_${entry}_` },
  },
  {
    hostId: 'copilot-cli',
    name: 'GitHub Copilot CLI',
    folder: '.github/mcp.json',
    traces: ({ own }) => [own('COPILOT_HOME', '.copilot')],
    files: ['mcp-config.json'],
    entry: (launch) => ({ type: 'local', ...plainEntry(launch), tools: ['*'] }),
    switches: 'none',
    reload: 'Copilot CLI reads the file at startup. End the session and start a new one.',
  },
  {
    hostId: 'opencode',
    name: 'OpenCode',
    list: { syntax: 'jsonc', keys: ['mcp'], layout: 'map' },
    folder: 'opencode.json',
    traces: ({ config }) => [config('opencode')],
    files: ['opencode.json', 'opencode.jsonc'],
    entry: localEntry,
    off: NOT_ENABLED,
    reload: 'OpenCode reads the file at startup. Quit it and start it again.',
  },
  {
    hostId: 'qwen-code',
    name: 'Qwen Code',
    list: MCP_SERVERS_COMMENTED,
    folder: '.qwen/settings.json',
    traces: ({ own }) => [own('QWEN_HOME', '.qwen')],
    files: ['settings.json'],
    switches: 'lists',
    expandsBareNames: true,
    reload: 'Qwen Code reads the file at startup. Quit it and start it again.',
  },
  {
    hostId: 'kimi-code',
    name: 'Kimi Code',
    folder: '.kimi-code/mcp.json',
    traces: ({ own }) => [own('KIMI_CODE_HOME', '.kimi-code')],
    files: ['mcp.json'],
    off: NOT_ENABLED,
    reload: 'Kimi Code reads the file when a session starts. End the session and start a new one.',
  },
  {
    hostId: 'crush',
    name: 'Crush',
    list: { syntax: 'json', keys: ['mcp'], layout: 'map' },
    folder: 'crush.json',
    traces: (paths) => [crushFolder(paths)],
    files: ['crush.json'],
    entry: typedEntry,
    off: DISABLED,
    expandsBareNames: true,
    reload: 'Crush reads the file at startup. Quit it and start it again.',
  },
  {
    hostId: 'amp',
    name: 'Amp',
    list: { syntax: 'jsonc', keys: ['amp.mcpServers'], layout: 'map' },
    folder: '.amp/settings.json',
    traces: ({ home }) => [home('.config', 'amp')],
    files: ['settings.json', 'settings.jsonc'],
    reload: 'Amp reads the file at startup. Quit it and start it again.',
  },
  {
    hostId: 'factory-droid',
    name: 'Factory Droid',
    folder: '.factory/mcp.json',
    traces: ({ home }) => [home('.factory')],
    files: ['mcp.json'],
    entry: typedEntry,
    off: DISABLED,
    reload: 'Droid reads the file when it is saved.',
  },
  {
    hostId: 'grok-build',
    name: 'Grok Build',
    list: MCP_TABLES,
    folder: '.grok/config.toml',
    traces: ({ home }) => [home('.grok')],
    files: ['config.toml'],
    off: NOT_ENABLED,
    reload: 'Grok Build reads the file at startup. End the session and start a new one.',
  },
  {
    hostId: 'hermes-agent',
    name: 'Hermes Agent',
    list: { syntax: 'yaml', keys: ['mcp_servers'], layout: 'map' },
    traces: ({ own }) => [own('HERMES_HOME', '.hermes')],
    files: ['config.yaml'],
    off: NOT_ENABLED,
    reload: 'Hermes reads the file at startup, or after /reload-mcp.',
  },
  {
    hostId: 'oh-my-pi',
    name: 'Oh My Pi',
    folder: '.omp/mcp.json',
    traces: ({ home }) => [home('.omp')],
    files: ['agent/mcp.json', 'agent/.mcp.json'],
    off: NOT_ENABLED,
    switches: 'names',
    reload: 'Oh My Pi reads the file at startup. End the session and start a new one.',
  },
  {
    hostId: 'warp',
    name: 'Warp',
    folder: '.warp/.mcp.json',
    traces: ({ home }) => [home('.warp')],
    files: ['.mcp.json'],
    reload:
      'Warp reads the file when it is saved. Start a project’s server under Settings > Agents > MCP servers.',
  },
]

/** `GEMINI_CLI_HOME` replaces the home folder, not the app's own folder. */
function geminiFiles({ home, join, named }: AppPaths, ...files: readonly string[]): string[] {
  const folder = join(named('GEMINI_CLI_HOME') ?? home(), '.gemini')
  return files.map((file) => join(folder, file))
}

/** On Windows below `%LOCALAPPDATA%`, unless `XDG_CONFIG_HOME` is set. */
function crushFolder({ config, local, named }: AppPaths): string {
  const [ofWindows] = named('XDG_CONFIG_HOME') === undefined ? local('crush') : []
  return ofWindows ?? config('crush')
}
