import { Copy } from 'lucide-react'
import type { JSX } from 'react'
import { useState } from 'react'

import { useGatewayUrl } from '../../host-parts/use-agents'
import { useApp } from '../../stores/app-store'
import { Button } from '../../ui/controls/button'
import { Segmented } from '../../ui/controls/segmented'
import { Select } from '../../ui/controls/select'
import { WarnText } from '../../ui/fields/warn-text'
import { copyText } from '../../ui/saving/copy-text'
import { connectSnippet, type Reach, reachesOf } from './connect-snippet'
import {
  AGENT_APPS,
  type AgentApp,
  appOf,
  type AppSyntax,
  OTHER_APP,
  otherApp,
} from './endpoint/agent-apps'

const REACHES: Readonly<Record<Reach, string>> = { http: 'HTTP', command: 'Command (stdio)' }
const APPS = [...AGENT_APPS, OTHER_APP]
const SYNTAXES = [
  { value: 'json', label: 'JSON' },
  { value: 'toml', label: 'TOML' },
  { value: 'yaml', label: 'YAML' },
  { value: 'line', label: 'Command line' },
] as const satisfies readonly { readonly value: AppSyntax; readonly label: string }[]

/** Where the snippet goes, and what it needs. */
function placeWords({ file, syntax }: AgentApp, reach: Reach): string {
  const where = file ?? 'the app’s list of MCP servers'
  if (syntax === 'line')
    return reach === 'command'
      ? 'For an app that asks for a command. It holds no key: the command reads the key from the keychain.'
      : 'For an app that asks for an address and a header. The header holds the key.'
  const needs =
    reach === 'command'
      ? ' It holds no key: the command reads the key from the keychain. Where the app does not find the command, give its full path.'
      : ' It holds the key, so keep that file to yourself.'
  return `Goes into ${where}.${needs}`
}

/** A text to copy, with the button that does. */
export function CopyBlock({
  label,
  text,
  said,
}: {
  readonly label: string
  readonly text: string
  readonly said: string
}): JSX.Element {
  return (
    <div className="well box pad-row scroll above-2 flex at-top gap-2">
      <pre className="grow break keep-lines" role="region" aria-label={label}>
        {text}
      </pre>
      <Button
        size="small"
        icon={Copy}
        aria-label={`Copy: ${label}`}
        onClick={() => copyText(text, said)}
      >
        Copy
      </Button>
    </div>
  )
}

function AppChoice({
  app,
  onChoose,
}: {
  readonly app: AgentApp
  readonly onChoose: (app: AgentApp) => void
}): JSX.Element {
  return (
    <>
      <Select
        aria-label="App"
        value={app.name}
        onValueChange={(chosen) => onChoose(APPS.find(({ name }) => name === chosen) ?? OTHER_APP)}
        options={APPS.map(({ name }) => ({ value: name, label: name }))}
      />
      {app.name === OTHER_APP.name && (
        <Select
          aria-label="Format"
          value={app.syntax}
          onValueChange={(chosen) =>
            onChoose(otherApp(SYNTAXES.find(({ value }) => value === chosen)?.value ?? 'json'))
          }
          options={SYNTAXES}
        />
      )}
    </>
  )
}

/** The snippet for the app's own file: by HTTP with the key, or by a command without. */
export function ConnectParts({
  agentId,
  name,
  agentKey,
}: {
  readonly agentId: string
  readonly name: string
  /** The key, or what stands in its place. */
  readonly agentKey: string
}): JSX.Element {
  const url = useGatewayUrl()
  const isMemory = useApp(({ app }) => app?.secretStore.kind === 'memory')
  const info = useApp((state) => state.app?.info)
  const [app, setApp] = useState(() => appOf(name))
  const [wanted, setWanted] = useState<Reach>('http')
  const reaches = reachesOf(app)
  const reach = reaches.includes(wanted) ? wanted : (reaches[0] ?? wanted)
  return (
    <section className="stack gap-2 above-4" aria-label="Connect the app">
      <div className="connect-choices row wrap gap-3 rows-2">
        <AppChoice app={app} onChoose={setApp} />
        <Segmented
          label="How it connects"
          value={reach}
          options={reaches.map((value) => ({ value, label: REACHES[value] }))}
          onValueChange={setWanted}
        />
      </div>
      <CopyBlock
        label="Entry for the app"
        text={connectSnippet(app, reach, {
          ...{ agentId, url, key: agentKey },
          ownCommand: info?.ownCommand ?? { words: ['patchbay'], env: {} },
          profileDir: info?.profileDir ?? '',
          platform: info?.platform ?? '',
        })}
        said="The entry was copied."
      />
      <p className="soft small pretty">{placeWords(app, reach)}</p>
      <WarnText>{reach === 'command' ? info?.ownCommand.obstacle : undefined}</WarnText>
      <WarnText>
        {isMemory && reach === 'command'
          ? 'There is no keychain here, so the command cannot read the key. Set PATCHBAY_AGENT_KEY in its environment.'
          : undefined}
      </WarnText>
    </section>
  )
}
