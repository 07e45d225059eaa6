import { Copy } from 'lucide-react'
import { type JSX, useState } from 'react'
import { quote } from 'shlex'

import type { OwnCommand } from '../../../../src-shared/domain/state/app-state'
import { useGatewayUrl } from '../../../components/app/use-connecting'
import { useApp } from '../../../stores/app-store'
import { Button } from '../../../ui/controls/button'
import { Segmented } from '../../../ui/controls/choice'
import { WarnText } from '../../../ui/fields/field'
import { Dialog } from '../../../ui/overlays/dialog'
import { copyText } from '../../../ui/saving/copy-text'

type Transport = 'http' | 'command'

/** The format of the entry; `cli` is a command line, or an address with its header. */
type SnippetFormat = 'json' | 'toml' | 'yaml' | 'cli'

type Connection = {
  readonly agentId: string
  readonly url: string
  readonly key: string
  readonly ownCommand: Pick<OwnCommand, 'argv' | 'env'>
  readonly profileDir: string
  /** Node's name of the platform, which determines the quoting. */
  readonly platform: string
}

const ENTRY = 'patchbay'

/** Returns the entry for the configuration of a client. */
export function connectSnippet(
  format: SnippetFormat,
  reach: Transport,
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
  reach: Transport,
  connection: Connection,
): Record<string, Value> {
  // TOML is the format of Codex, which has no `type` and no `headers`.
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
  return [...ownCommand.argv, 'bridge', '--agent', agentId, '--profile', profileDir]
}

function asLine(reach: Transport, connection: Connection): string {
  if (reach === 'http') return `${connection.url}\nAuthorization: Bearer ${connection.key}`
  const words = bridgeCommand(connection)
  // File names on Windows contain no quotes.
  const quoted = (word: string): string => (/^[\w.:\\/-]+$/u.test(word) ? word : `"${word}"`)
  const line = words.map(connection.platform === 'win32' ? quoted : quote).join(' ')
  const variables = Object.entries(connection.ownCommand.env)
  return [line, ...variables.map(([name, value]) => `${name}=${value}`)].join('\n')
}

/** Formats an entry as YAML; a JSON string is a valid YAML string. */
function yamlLines(entry: Readonly<Record<string, Value>>, indent: string): string[] {
  return Object.entries(entry).flatMap(([key, value]) => {
    if (typeof value === 'string') return [`${indent}${key}: ${JSON.stringify(value)}`]
    const below = isTexts(value)
      ? value.map((text) => `${indent}  - ${JSON.stringify(text)}`)
      : yamlLines(value, `${indent}  `)
    return [`${indent}${key}:`, ...below]
  })
}

/** Formats a TOML table; a JSON string is a valid TOML string. */
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

const TRANSPORTS = [
  { value: 'http', label: 'HTTP' },
  { value: 'command', label: 'Command' },
] as const satisfies readonly { value: Transport; label: string }[]
const FORMATS = [
  { value: 'json', label: 'JSON' },
  { value: 'toml', label: 'TOML' },
  { value: 'yaml', label: 'YAML' },
  { value: 'cli', label: 'CLI' },
] as const satisfies readonly { value: SnippetFormat; label: string }[]

const HINT: Readonly<Record<Transport, string>> = {
  http: 'The entry contains the key. Keep the file private.',
  command: 'The command reads the key from the keychain.',
}

function CopyBlock(props: {
  readonly label: string
  readonly text: string
  readonly said: string
}): JSX.Element {
  const { label, text, said } = props
  return (
    <div className="scroll mt-2 flex items-start gap-2 rounded-lg border border-line bg-inset px-3 py-2">
      <pre
        className="min-w-0 flex-1 wrap-anywhere whitespace-pre-wrap"
        role="region"
        aria-label={label}
      >
        {text}
      </pre>
      <Button
        size="small"
        icon={Copy}
        aria-label={`Copy ${label.toLowerCase()}`}
        onClick={() => copyText(text, said)}
      >
        Copy
      </Button>
    </div>
  )
}

/** The entry for the configuration of any MCP client: over HTTP with the key, or as a command without it. */
export function SnippetView(props: {
  readonly agentId: string
  readonly agentKey: string
}): JSX.Element {
  const { agentId, agentKey } = props
  const url = useGatewayUrl()
  const isMemory = useApp(({ app }) => app?.secretStore.kind === 'memory')
  const info = useApp((state) => state.app?.info)
  const [reach, setReach] = useState<Transport>('http')
  const [format, setFormat] = useState<SnippetFormat>('json')
  const obstacle =
    info?.ownCommand.obstacle ??
    (isMemory
      ? 'Without a keychain, set PATCHBAY_AGENT_KEY to the key for the command.'
      : undefined)
  return (
    <section className="mt-4 grid gap-2" aria-label="Config entry">
      <div className="flex flex-wrap items-center gap-3 gap-y-2">
        <Segmented label="Transport" value={reach} options={TRANSPORTS} onValueChange={setReach} />
        <Segmented label="Format" value={format} options={FORMATS} onValueChange={setFormat} />
      </div>
      <CopyBlock
        label="Entry"
        text={connectSnippet(format, reach, {
          ...{ agentId, url, key: agentKey },
          ownCommand: info?.ownCommand ?? { argv: ['patchbay'], env: {} },
          profileDir: info?.profileDir ?? '',
          platform: info?.platform ?? '',
        })}
        said="Entry copied."
      />
      <p className="text-small text-pretty text-muted">{HINT[reach]}</p>
      <WarnText>{reach === 'command' ? obstacle : undefined}</WarnText>
    </section>
  )
}

/** Shows a new key once. Only its button closes the dialog, so that no stray key press loses the key. */
export function KeyDialog(props: {
  readonly agentId: string
  readonly agentKey: string
  readonly title: string
  readonly onStored: () => void
}): JSX.Element {
  const { agentId, agentKey, title, onStored } = props
  return (
    <Dialog
      wide
      comesUnasked
      onClose={() => undefined}
      title={title}
      description="Copy this key now. You can’t see it again, but you can replace it at any time."
      actions={
        <Button size="form" variant="primary" onClick={onStored}>
          Done
        </Button>
      }
    >
      <CopyBlock label="Key" text={agentKey} said="Key copied." />
      <SnippetView agentId={agentId} agentKey={agentKey} />
    </Dialog>
  )
}
