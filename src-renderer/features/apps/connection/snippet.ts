import { quote } from 'shlex'

import type { OwnCommand } from '../../../../src-shared/domain/state/app-state'

/** How a client reaches the gateway: over HTTP, or through a command that it starts. */
export type Reach = 'http' | 'command'

/** The format of the entry; `cli` is a command line, or an address with its header. */
export type SnippetFormat = 'json' | 'toml' | 'yaml' | 'cli'

/** The parts of an entry. */
export type Connection = {
  readonly agentId: string
  readonly url: string
  /** The key, or a placeholder. */
  readonly key: string
  readonly ownCommand: Pick<OwnCommand, 'words' | 'env'>
  readonly profileDir: string
  /** As Node names it: each system quotes in its own way. */
  readonly platform: string
}

/** The name of the entry. */
const ENTRY = 'patchbay'

/** The entry for the config of a client. */
export function connectSnippet(
  format: SnippetFormat,
  reach: Reach,
  connection: Connection,
): string {
  const entry = entryOf(format, reach, connection)
  switch (format) {
    case 'toml':
      return asToml(`mcp_servers.${ENTRY}`, entry)
    case 'yaml':
      return ['mcpServers:', `  ${ENTRY}:`, ...yamlLines(entry, '    ')].join('\n')
    case 'cli':
      return asLine(reach, connection)
    case 'json':
      return JSON.stringify({ mcpServers: { [ENTRY]: entry } }, null, 2)
  }
}

type Value = string | readonly string[] | Readonly<Record<string, string>>

function entryOf(
  format: SnippetFormat,
  reach: Reach,
  connection: Connection,
): Record<string, Value> {
  // TOML is the format of Codex, which knows no `type` and no `headers`.
  const isToml = format === 'toml'
  if (reach === 'command') {
    const [command = 'patchbay', ...args] = bridgeCommand(connection)
    const { env } = connection.ownCommand
    return {
      ...(!isToml && { type: 'stdio' }),
      ...{ command, args },
      ...(Object.keys(env).length > 0 && { env }),
    }
  }
  const headers = { Authorization: `Bearer ${connection.key}` }
  if (isToml) return { url: connection.url, http_headers: headers }
  return { type: 'http', url: connection.url, headers }
}

function bridgeCommand({ ownCommand, agentId, profileDir }: Connection): readonly string[] {
  return [...ownCommand.words, 'bridge', '--agent', agentId, '--profile', profileDir]
}

/** A command line, or the two values that a form of a client asks for. */
function asLine(reach: Reach, connection: Connection): string {
  if (reach === 'http') return `${connection.url}\nAuthorization: Bearer ${connection.key}`
  const words = bridgeCommand(connection)
  // File names on Windows hold no quotes.
  const quoted = (word: string): string => (/^[\w.:\\/-]+$/u.test(word) ? word : `"${word}"`)
  const line = words.map(connection.platform === 'win32' ? quoted : quote).join(' ')
  const variables = Object.entries(connection.ownCommand.env)
  return [line, ...variables.map(([name, value]) => `${name}=${value}`)].join('\n')
}

/** An entry as YAML; a JSON string is a YAML string too. */
function yamlLines(entry: Readonly<Record<string, Value>>, indent: string): string[] {
  return Object.entries(entry).flatMap(([key, value]) => {
    if (typeof value === 'string') return [`${indent}${key}: ${JSON.stringify(value)}`]
    const below = isTexts(value)
      ? value.map((text) => `${indent}  - ${JSON.stringify(text)}`)
      : yamlLines(value, `${indent}  `)
    return [`${indent}${key}:`, ...below]
  })
}

/** A TOML table; a JSON string is a TOML string too. */
function asToml(table: string, entry: Readonly<Record<string, Value>>): string {
  const lines = Object.entries(entry).map(([key, value]) => `${key} = ${tomlValue(value)}`)
  return [`[${table}]`, ...lines].join('\n')
}

function tomlValue(value: Value): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (isTexts(value)) return `[${value.map((text) => JSON.stringify(text)).join(', ')}]`
  const pairs = Object.entries(value).map(([key, text]) => `${key} = ${JSON.stringify(text)}`)
  return `{ ${pairs.join(', ')} }`
}

function isTexts(value: Exclude<Value, string>): value is readonly string[] {
  return Array.isArray(value)
}
