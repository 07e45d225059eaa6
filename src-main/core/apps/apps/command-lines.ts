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

const MCP_TABLES: HostList = { syntax: 'toml', keys: ['mcp_servers'], layout: 'map' }
/** Codex passes only those on that it is told to: without them the bridge finds no keychain on Linux, nor a key that it is given. */
const KEY_VARIABLES = [
  'DBUS_SESSION_BUS_ADDRESS',
  'XDG_RUNTIME_DIR',
  'PATCHBAY_AGENT_KEY',
  'PATCHBAY_PASSPHRASE',
]
const OPENCODE_LIST: HostList = { syntax: 'jsonc', keys: ['mcp'], layout: 'map' }
const CRUSH_LIST: HostList = { syntax: 'json', keys: ['mcp'], layout: 'map' }
const AMP_LIST: HostList = { syntax: 'jsonc', keys: ['amp.mcpServers'], layout: 'map' }

/** Agents in a terminal. */
export const COMMAND_LINES: readonly HostApp[] = [
  {
    hostId: 'claude-code',
    name: 'Claude Code',
    source:
      'code.claude.com/docs/en/mcp; its makers in their tracker, github.com/anthropics/claude-code; read 2026-11-22',
    files: (place) => [
      pathsOf(place).join(
        pathsOf(place).named('CLAUDE_CONFIG_DIR') ?? pathsOf(place).home(),
        '.claude.json',
      ),
    ],
    list: MCP_SERVERS,
    folder: { file: '.mcp.json', list: MCP_SERVERS },
    traces: (place) => [
      pathsOf(place).named('CLAUDE_CONFIG_DIR') ?? pathsOf(place).home('.claude'),
    ],
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
    source:
      'developers.openai.com/codex/mcp; github.com/openai/codex: home-dir/lib.rs, mcp_types.rs; read 2026-11-22',
    files: (place) => [pathsOf(place).join(codexFolder(place), 'config.toml')],
    list: MCP_TABLES,
    folder: { file: '.codex/config.toml', list: MCP_TABLES },
    traces: (place) => [codexFolder(place)],
    entry: (launch) => ({ ...plainEntry(launch), env_vars: KEY_VARIABLES }),
    off: NOT_ENABLED,
    reload: 'Codex reads the file at startup. End the session and start a new one.',
  },
  {
    hostId: 'gemini-cli',
    name: 'Gemini CLI',
    source:
      'github.com/google-gemini/gemini-cli: MCP servers, Gemini CLI configuration, storage.ts; read 2026-11-22',
    files: (place) => [pathsOf(place).join(geminiFolder(place), 'settings.json')],
    list: MCP_SERVERS_COMMENTED,
    folder: { file: '.gemini/settings.json', list: MCP_SERVERS_COMMENTED },
    // The folder alone says nothing: another app of the same makers keeps its files there too.
    traces: (place) =>
      ['oauth_creds.json', 'installation_id'].map((file) =>
        pathsOf(place).join(geminiFolder(place), file),
      ),
    entry: plainEntry,
    switches: 'lists',
    expandsBareNames: true,
    reload: 'Gemini CLI reads the file at startup. Restart it in a trusted folder.',
    toolNames: { longest: 63, prefix: (entry) => `mcp_${entry}_` },
  },
  {
    hostId: 'copilot-cli',
    name: 'GitHub Copilot CLI',
    source:
      'docs.github.com/copilot: Adding MCP servers for GitHub Copilot CLI; code.visualstudio.com/docs: MCP configuration reference, for COPILOT_HOME; read 2026-11-22',
    files: (place) => [pathsOf(place).join(copilotFolder(place), 'mcp-config.json')],
    list: MCP_SERVERS,
    folder: { file: '.github/mcp.json', list: MCP_SERVERS },
    traces: (place) => [copilotFolder(place)],
    entry: (launch) => ({ type: 'local', ...plainEntry(launch), tools: ['*'] }),
    switches: 'none',
    reload: 'Copilot CLI reads the file at startup. End the session and start a new one.',
  },
  {
    hostId: 'opencode',
    name: 'OpenCode',
    source: 'opencode.ai/docs/mcp-servers, opencode.ai/docs/config; read 2026-11-22',
    files: (place) =>
      ['opencode.json', 'opencode.jsonc'].map((file) => pathsOf(place).config('opencode', file)),
    list: OPENCODE_LIST,
    folder: { file: 'opencode.json', list: OPENCODE_LIST },
    traces: (place) => [pathsOf(place).config('opencode')],
    entry: localEntry,
    off: NOT_ENABLED,
    reload: 'OpenCode reads the file at startup. Quit it and start it again.',
  },
  {
    hostId: 'qwen-code',
    name: 'Qwen Code',
    source: 'github.com/QwenLM/qwen-code: MCP, storage.ts; read 2026-11-22',
    files: (place) => [pathsOf(place).join(qwenFolder(place), 'settings.json')],
    list: MCP_SERVERS_COMMENTED,
    folder: { file: '.qwen/settings.json', list: MCP_SERVERS_COMMENTED },
    traces: (place) => [qwenFolder(place)],
    entry: plainEntry,
    switches: 'lists',
    expandsBareNames: true,
    reload: 'Qwen Code reads the file at startup. Quit it and start it again.',
  },
  {
    hostId: 'kimi-code',
    name: 'Kimi Code',
    source: 'moonshotai.github.io/kimi-code: Model Context Protocol; read 2026-11-28',
    files: (place) => [pathsOf(place).join(kimiFolder(place), 'mcp.json')],
    list: MCP_SERVERS,
    folder: { file: '.kimi-code/mcp.json', list: MCP_SERVERS },
    traces: (place) => [kimiFolder(place)],
    entry: plainEntry,
    off: NOT_ENABLED,
    reload: 'Kimi Code reads the file when a session starts. End the session and start a new one.',
  },
  {
    hostId: 'crush',
    name: 'Crush',
    source: 'github.com/charmbracelet/crush: README, config.go, load.go; read 2026-11-22',
    files: (place) => [crushFile(place)],
    list: CRUSH_LIST,
    folder: { file: 'crush.json', list: CRUSH_LIST },
    traces: (place) => [pathsOf(place).join(crushFile(place), '..')],
    entry: typedEntry,
    off: DISABLED,
    expandsBareNames: true,
    reload: 'Crush reads the file at startup. Quit it and start it again.',
  },
  {
    hostId: 'amp',
    name: 'Amp',
    source: 'ampcode.com/manual: Configuration; read 2026-11-22',
    files: (place) =>
      ['settings.json', 'settings.jsonc'].map((file) =>
        pathsOf(place).home('.config', 'amp', file),
      ),
    list: AMP_LIST,
    folder: { file: '.amp/settings.json', list: AMP_LIST },
    traces: (place) => [pathsOf(place).home('.config', 'amp')],
    entry: plainEntry,
    reload: 'Amp reads the file at startup. Quit it and start it again.',
  },
  {
    hostId: 'factory-droid',
    name: 'Factory Droid',
    source: 'docs.factory.ai/cli/configuration/mcp; read 2026-11-28',
    files: (place) => [pathsOf(place).home('.factory', 'mcp.json')],
    list: MCP_SERVERS,
    folder: { file: '.factory/mcp.json', list: MCP_SERVERS },
    traces: (place) => [pathsOf(place).home('.factory')],
    entry: typedEntry,
    off: DISABLED,
    reload: 'Droid reads the file when it is saved.',
  },
  {
    hostId: 'grok-build',
    name: 'Grok Build',
    source:
      'docs.x.ai/build/features/mcp-servers; for `enabled`, checks of others in github.com/stbenjam/skillsaw; read 2026-11-28',
    files: (place) => [pathsOf(place).home('.grok', 'config.toml')],
    list: MCP_TABLES,
    folder: { file: '.grok/config.toml', list: MCP_TABLES },
    traces: (place) => [pathsOf(place).home('.grok')],
    entry: plainEntry,
    off: NOT_ENABLED,
    reload: 'Grok Build reads the file at startup. End the session and start a new one.',
  },
  {
    hostId: 'hermes-agent',
    name: 'Hermes Agent',
    source: 'github.com/NousResearch/hermes-agent: MCP, Environment variables; read 2026-11-28',
    files: (place) => [pathsOf(place).join(hermesFolder(place), 'config.yaml')],
    list: { syntax: 'yaml', keys: ['mcp_servers'], layout: 'map' },
    traces: (place) => [hermesFolder(place)],
    entry: plainEntry,
    off: NOT_ENABLED,
    reload: 'Hermes reads the file at startup, or after /reload-mcp.',
  },
  {
    hostId: 'oh-my-pi',
    name: 'Oh My Pi',
    source: 'github.com/can1357/oh-my-pi: docs/mcp-config.md; read 2026-11-28',
    files: (place) =>
      ['mcp.json', '.mcp.json'].map((file) => pathsOf(place).home('.omp', 'agent', file)),
    list: MCP_SERVERS,
    folder: { file: '.omp/mcp.json', list: MCP_SERVERS },
    traces: (place) => [pathsOf(place).home('.omp')],
    entry: plainEntry,
    off: NOT_ENABLED,
    switches: 'names',
    reload: 'Oh My Pi reads the file at startup. End the session and start a new one.',
  },
  {
    hostId: 'warp',
    name: 'Warp',
    source:
      'docs.warp.dev/agents/capabilities/mcp; github.com/warpdotdev/warp: agent-add-mcp; read 2026-11-28',
    files: (place) => [pathsOf(place).home('.warp', '.mcp.json')],
    list: MCP_SERVERS,
    folder: { file: '.warp/.mcp.json', list: MCP_SERVERS },
    traces: (place) => [pathsOf(place).home('.warp')],
    entry: plainEntry,
    reload:
      'Warp reads the file when it is saved. Start a project’s server under Settings > Agents > MCP servers.',
  },
]

function codexFolder(place: HostPlace): string {
  return pathsOf(place).named('CODEX_HOME') ?? pathsOf(place).home('.codex')
}

/** `GEMINI_CLI_HOME` stands for the home folder, not for the app's own. */
function geminiFolder(place: HostPlace): string {
  const { home, join, named } = pathsOf(place)
  return join(named('GEMINI_CLI_HOME') ?? home(), '.gemini')
}

function copilotFolder(place: HostPlace): string {
  return pathsOf(place).named('COPILOT_HOME') ?? pathsOf(place).home('.copilot')
}

function qwenFolder(place: HostPlace): string {
  return pathsOf(place).named('QWEN_HOME') ?? pathsOf(place).home('.qwen')
}

function kimiFolder(place: HostPlace): string {
  return pathsOf(place).named('KIMI_CODE_HOME') ?? pathsOf(place).home('.kimi-code')
}

function hermesFolder(place: HostPlace): string {
  return pathsOf(place).named('HERMES_HOME') ?? pathsOf(place).home('.hermes')
}

/** On Windows below `%LOCALAPPDATA%`, except those who set `XDG_CONFIG_HOME` there. */
function crushFile(place: HostPlace): string {
  const { config, local, named } = pathsOf(place)
  const ofWindows = local('crush', 'crush.json')
  const isElsewhere = named('XDG_CONFIG_HOME') !== undefined || ofWindows === undefined
  return isElsewhere ? config('crush', 'crush.json') : ofWindows
}
