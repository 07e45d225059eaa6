import { Copy, Play } from 'lucide-react'
import type { JSX } from 'react'
import { useState } from 'react'

import type { RunnerAdvice, RunnerSetup } from '../../../src-shared/domain/running/runner-advice'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { serverActions } from '../../components/server/server-actions'
import { Button, ButtonLink } from '../../ui/controls/button'
import { DisclosureButton } from '../../ui/controls/disclosure'
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog'
import { copyText } from '../../ui/saving/copy-text'
import { counted } from '../../ui/text/format'

type Server = Pick<ServerView, 'installationId' | 'name'>

function lineOf({ command, args }: RunnerSetup['steps'][number]): string {
  // To be copied into any shell: zsh takes a word that begins with = for a program.
  return [command, ...args.map((word) => (word.startsWith('=') ? `'${word}'` : word))].join(' ')
}

function copySteps({ steps }: RunnerSetup): void {
  copyText(
    steps.map(lineOf).join('\n'),
    steps.length === 1 ? 'Command copied.' : 'Commands copied.',
  )
}

function Steps({
  setup,
  label,
}: {
  readonly setup: RunnerSetup
  readonly label: string
}): JSX.Element {
  return (
    <ol className="marked above-2 box surface break" aria-label={label} role="list">
      {setup.steps.map((step) => (
        <li key={lineOf(step)} className="pad-row">
          <code>{lineOf(step)}</code>
        </li>
      ))}
    </ol>
  )
}

function SetupDialog({
  server,
  setup,
  onClose,
}: {
  readonly server: Server
  readonly setup: RunnerSetup
  readonly onClose: () => void
}): JSX.Element {
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`${setup.title}?`}
      description={
        <p>
          Patchbay runs exactly {setup.steps.length === 1 ? 'this command' : 'these commands'} with
          your user permissions, then starts {server.name}. The log shows the output. {setup.note}
        </p>
      }
      confirmLabel={`Run and start ${server.name}`}
      danger={false}
      onConfirm={async () => {
        const isAsked = await serverActions.setUp(server.installationId, setup.setupId)
        return isAsked ? 'done' : 'failed'
      }}
    >
      <Steps setup={setup} label="Commands to run" />
    </ConfirmDialog>
  )
}

function Setup({
  setup,
  onRun,
}: {
  readonly setup: RunnerSetup
  readonly onRun: () => void
}): JSX.Element {
  const { title, note, canRun } = setup
  return (
    <section className="stack gap-1" aria-label={title}>
      <div className="row wrap gap-2 rows-1">
        <h2 className="small medium soft">{title}</h2>
        {canRun && (
          <Button size="small" icon={Play} aria-label={`Run: ${title}`} onClick={onRun}>
            Run…
          </Button>
        )}
        <Button
          size="small"
          variant="quiet"
          icon={Copy}
          aria-label={`Copy: ${title}`}
          onClick={() => copySteps(setup)}
        >
          Copy
        </Button>
      </div>
      <Steps setup={setup} label={title} />
      {note !== undefined && <p className="faint small">{note}</p>}
    </section>
  )
}

function Places({ lookedIn }: { readonly lookedIn: readonly string[] }): JSX.Element | null {
  const [open, setOpen] = useState(false)
  if (lookedIn.length === 0) return null
  const count = counted(lookedIn.length, 'place')
  return (
    <div>
      <DisclosureButton
        label={`Searched ${count}`}
        open={open}
        controls="looked-in"
        onOpenChange={setOpen}
      />
      <ul id="looked-in" className="marked stack gap-1 soft break" hidden={!open}>
        {lookedIn.map((place) => (
          <li key={place}>
            <code>{place}</code>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** What fixes a command that cannot run: official setups to run or copy, a path to set, where it was looked for. */
export function RunnerAdviceView({
  server,
  advice,
}: {
  readonly server: Server
  readonly advice: RunnerAdvice
}): JSX.Element {
  const { runner, found, setups, lookedIn } = advice
  const [asked, setAsked] = useState<RunnerSetup | null>(null)
  return (
    <div className="advice bounded scroll stack gap-3 above-2">
      {found !== undefined && (
        <p className="faint">
          Found {found.version} at <code>{found.path}</code>
        </p>
      )}
      {setups.map((setup) => (
        <Setup key={setup.setupId} setup={setup} onRun={() => setAsked(setup)} />
      ))}
      {runner !== undefined && (
        <div>
          <ButtonLink size="small" href={`/settings?runner=${runner}`}>
            Set {runner} path
          </ButtonLink>
        </div>
      )}
      <Places lookedIn={lookedIn} />
      {asked !== null && (
        <SetupDialog server={server} setup={asked} onClose={() => setAsked(null)} />
      )}
    </div>
  )
}
