import { Copy } from 'lucide-react'
import type { JSX } from 'react'
import { useState } from 'react'

import { useGatewayUrl } from '../../../components/app/use-agents'
import { useApp } from '../../../stores/app-store'
import { Button } from '../../../ui/controls/button'
import { Segmented } from '../../../ui/controls/segmented'
import { WarnText } from '../../../ui/fields/warn-text'
import { Dialog } from '../../../ui/overlays/dialog'
import { copyText } from '../../../ui/saving/copy-text'
import { connectSnippet, type Reach, type SnippetFormat } from './snippet'

const REACHES = [
  { value: 'http', label: 'HTTP' },
  { value: 'command', label: 'Command' },
] as const satisfies readonly { value: Reach; label: string }[]
const FORMATS = [
  { value: 'json', label: 'JSON' },
  { value: 'toml', label: 'TOML' },
  { value: 'yaml', label: 'YAML' },
  { value: 'cli', label: 'CLI' },
] as const satisfies readonly { value: SnippetFormat; label: string }[]

const HINT: Readonly<Record<Reach, string>> = {
  http: 'The entry contains the key. Keep the file private.',
  command: 'The command reads the key from the keychain.',
}

/** A text to copy, with the button that copies it. */
function CopyBlock({
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
        aria-label={`Copy ${label.toLowerCase()}`}
        onClick={() => copyText(text, said)}
      >
        Copy
      </Button>
    </div>
  )
}

/** The entry for the config of any MCP client: over HTTP with the key, or as a command without. */
export function SnippetView({
  agentId,
  agentKey,
}: {
  readonly agentId: string
  /** The key, or a placeholder. */
  readonly agentKey: string
}): JSX.Element {
  const url = useGatewayUrl()
  const isMemory = useApp(({ app }) => app?.secretStore.kind === 'memory')
  const info = useApp((state) => state.app?.info)
  const [reach, setReach] = useState<Reach>('http')
  const [format, setFormat] = useState<SnippetFormat>('json')
  const obstacle =
    info?.ownCommand.obstacle ??
    (isMemory
      ? 'Without a keychain, set PATCHBAY_AGENT_KEY to the key for the command.'
      : undefined)
  return (
    <section className="stack gap-2 above-4" aria-label="Config entry">
      <div className="row wrap gap-3 rows-2">
        <Segmented label="Transport" value={reach} options={REACHES} onValueChange={setReach} />
        <Segmented label="Format" value={format} options={FORMATS} onValueChange={setFormat} />
      </div>
      <CopyBlock
        label="Entry"
        text={connectSnippet(format, reach, {
          ...{ agentId, url, key: agentKey },
          ownCommand: info?.ownCommand ?? { words: ['patchbay'], env: {} },
          profileDir: info?.profileDir ?? '',
          platform: info?.platform ?? '',
        })}
        said="Entry copied."
      />
      <p className="soft small pretty">{HINT[reach]}</p>
      <WarnText>{reach === 'command' ? obstacle : undefined}</WarnText>
    </section>
  )
}

/** Shows a new key once; only its button closes the dialog, so that no stray key press loses the key. */
export function KeyDialog({
  agentId,
  agentKey,
  title,
  onStored,
}: {
  readonly agentId: string
  readonly agentKey: string
  readonly title: string
  readonly onStored: () => void
}): JSX.Element {
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
