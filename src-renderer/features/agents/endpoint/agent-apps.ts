import { limitOf } from '../../../tool-parts/agent-limits'

/** How what an app is told is written; `line` is what a person types, or an app asks for in fields. */
export type AppSyntax = 'json' | 'toml' | 'yaml' | 'line'

/** How an app that is an agent is told of an MCP server. */
export type AgentApp = {
  readonly name: string
  /** Where its servers are listed; undefined where nobody knows which app it is. */
  readonly file?: string
  /** The key of that file under which servers stand. */
  readonly servers: 'mcpServers' | 'servers' | 'context_servers' | 'mcp_servers'
  readonly syntax: AppSyntax
  /** The key of an address; missing where the file takes commands alone. */
  readonly urlKey?: 'url' | 'serverUrl' | 'httpUrl'
  /** Whether an entry names its transport. */
  readonly isTyped?: true
  /** Most tools that it takes. */
  readonly limit?: number | undefined
}

const JSON_SERVERS = { servers: 'mcpServers', syntax: 'json' } as const

/** Any app whose file has the usual form. */
export const OTHER_APP: AgentApp = {
  ...JSON_SERVERS,
  name: 'Another app',
  urlKey: 'url',
  isTyped: true,
}

/** Any app, told in another syntax: TOML has the key of the one known app that takes it. */
export function otherApp(syntax: AppSyntax): AgentApp {
  if (syntax === OTHER_APP.syntax) return OTHER_APP
  return { ...OTHER_APP, syntax, ...(syntax === 'toml' && { servers: 'mcp_servers' }) }
}

/** The apps whose files are known, by their makers' documentation. */
export const AGENT_APPS: readonly AgentApp[] = [
  { ...JSON_SERVERS, name: 'Claude Desktop', file: 'claude_desktop_config.json' },
  {
    ...JSON_SERVERS,
    name: 'Claude Code',
    file: '~/.claude.json',
    urlKey: 'url',
    isTyped: true,
  },
  {
    ...JSON_SERVERS,
    name: 'Cursor',
    file: '~/.cursor/mcp.json',
    urlKey: 'url',
    limit: limitOf('Cursor'),
  },
  {
    name: 'VS Code',
    file: 'mcp.json, which “MCP: Open User Configuration” opens',
    servers: 'servers',
    syntax: 'json',
    urlKey: 'url',
    isTyped: true,
    limit: limitOf('VS Code Copilot'),
  },
  {
    ...JSON_SERVERS,
    name: 'Windsurf',
    file: '~/.codeium/windsurf/mcp_config.json',
    urlKey: 'serverUrl',
    limit: limitOf('Windsurf'),
  },
  {
    name: 'Zed',
    file: 'Zed’s settings.json',
    servers: 'context_servers',
    syntax: 'json',
    urlKey: 'url',
  },
  {
    name: 'Codex',
    file: '~/.codex/config.toml',
    servers: 'mcp_servers',
    syntax: 'toml',
    urlKey: 'url',
  },
  { ...JSON_SERVERS, name: 'Gemini CLI', file: '~/.gemini/settings.json', urlKey: 'httpUrl' },
]

/** The app that an agent is named after: "Cursor at work" is Cursor. */
export function appOf(agentName: string): AgentApp {
  const words = wordsOf(agentName)
  return AGENT_APPS.find(({ name }) => words.includes(wordsOf(name))) ?? OTHER_APP
}

function wordsOf(name: string): string {
  return ` ${name.toLowerCase().split(/\s+/u).join(' ').trim()} `
}
