import { quote } from 'shlex'

import type { OwnCommand } from '../../../src-shared/domain/state/app-state'
import type { AgentApp } from './endpoint/agent-apps'

/** How an agent reaches the endpoint: by its address, or through a program that the app starts. */
export type Reach = 'http' | 'command'

/** What a snippet tells an app. */
export type Connection = {
  readonly agentId: string
  readonly url: string
  /** The key, or what stands in its place. */
  readonly key: string
  readonly ownCommand: Pick<OwnCommand, 'words' | 'env'>
  readonly profileDir: string
  /** As Node names it: each system quotes in its own way. */
  readonly platform: string
}

/** What the app calls Patchbay. */
const ENTRY = 'patchbay'
/** Entries are written without one where the file has none. */
const TYPES: Readonly<Record<Reach, string>> = { http: 'http', command: 'stdio' }

/** The ways in which an app can be told of the endpoint, the better one first. */
export function reachesOf(app: AgentApp): readonly Reach[] {
  return app.urlKey === undefined ? ['command'] : ['http', 'command']
}

/** What goes into the app's file. */
export function connectSnippet(app: AgentApp, reach: Reach, connection: Connection): string {
  const entry = { ...(app.isTyped && { type: TYPES[reach] }), ...entryOf(app, reach, connection) }
  switch (app.syntax) {
    case 'toml':
      return asToml(`${app.servers}.${ENTRY}`, entry)
    case 'yaml':
      return [`${app.servers}:`, `  ${ENTRY}:`, ...yamlLines(entry, '    ')].join('\n')
    case 'line':
      return asLine(reach, connection)
    case 'json':
      return JSON.stringify({ [app.servers]: { [ENTRY]: entry } }, null, 2)
  }
}

type Value = string | readonly string[] | Readonly<Record<string, string>>

function entryOf(
  { urlKey, syntax }: AgentApp,
  reach: Reach,
  connection: Connection,
): Record<string, Value> {
  if (reach === 'command' || urlKey === undefined) {
    const [command = 'patchbay', ...args] = bridgeCommand(connection)
    const { env } = connection.ownCommand
    return { command, args, ...(Object.keys(env).length > 0 && { env }) }
  }
  const headers = { Authorization: `Bearer ${connection.key}` }
  // Codex leaves out what stands under `headers`.
  return { [urlKey]: connection.url, [syntax === 'toml' ? 'http_headers' : 'headers']: headers }
}

function bridgeCommand({ ownCommand, agentId, profileDir }: Connection): readonly string[] {
  return [...ownCommand.words, 'bridge', '--agent', agentId, '--profile', profileDir]
}

/** What a person types into a terminal, or into the fields that an app asks. */
function asLine(reach: Reach, connection: Connection): string {
  if (reach === 'http') return `${connection.url}\nAuthorization: Bearer ${connection.key}`
  const words = bridgeCommand(connection)
  // No file name of Windows has a quote of its own.
  const quoted = (word: string): string => (/^[\w.:\\/-]+$/u.test(word) ? word : `"${word}"`)
  const line = words.map(connection.platform === 'win32' ? quoted : quote).join(' ')
  const variables = Object.entries(connection.ownCommand.env)
  return [line, ...variables.map(([name, value]) => `${name}=${value}`)].join('\n')
}

/** An entry in YAML's blocks; texts of JSON are texts of YAML too. */
function yamlLines(entry: Readonly<Record<string, Value>>, indent: string): string[] {
  return Object.entries(entry).flatMap(([key, value]) => {
    if (typeof value === 'string') return [`${indent}${key}: ${JSON.stringify(value)}`]
    const below = isTexts(value)
      ? value.map((text) => `${indent}  - ${JSON.stringify(text)}`)
      : yamlLines(value, `${indent}  `)
    return [`${indent}${key}:`, ...below]
  })
}

/** A table of TOML; texts of JSON are texts of TOML too. */
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
