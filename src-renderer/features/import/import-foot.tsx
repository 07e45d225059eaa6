import type { JSX } from 'react'

import { useApp } from '../../stores/app-store'
import { Button } from '../../ui/controls/button'
import { Banner } from '../../ui/layout/banner'
import { PageFoot } from '../../ui/layout/section'
import { counted } from '../../ui/text/format'
import { entriesToSwitchOff } from './found-rows'
import { sumWords } from './messages'
import type { Import } from './use-import'
import { MOST_AT_ONCE } from './use-import'

function SwitchOff({ importing }: { readonly importing: Import }): JSX.Element {
  const { switchesOff, setSwitchesOff } = importing
  return (
    <label className="tick row gap-2 slim break">
      <input
        type="checkbox"
        className="check"
        checked={switchesOff}
        onChange={(event) => setSwitchesOff(event.currentTarget.checked)}
      />
      <span>Turn off in original apps</span>
    </label>
  )
}

/** The label of the button: what the next step is. */
function verb({ ticked, switchesOff, step }: Import): string {
  if (step === null && switchesOff && entriesToSwitchOff(ticked).length > 0)
    return 'Review file changes'
  return `Review ${counted(ticked.length, 'server')}`
}

function Sum({ importing }: { readonly importing: Import }): JSX.Element {
  const { ticked, rows, step } = importing
  const isInMemory = useApp(({ app }) => app?.secretStore.kind === 'memory')
  const tooMany =
    ticked.length > MOST_AT_ONCE && `Select at most ${counted(MOST_AT_ONCE, 'server')}.`
  return (
    <p className="grow soft pretty" role="status">
      <b className="block ink">{tooMany || sumWords(ticked, rows.length, { isInMemory })}</b>
      {step === null
        ? 'You review each command before a server is added.'
        : 'You can undo each change until the file changes again.'}
    </p>
  )
}

/** What importing does, why it was refused, and the button. */
export function ImportFoot({ importing }: { readonly importing: Import }): JSX.Element {
  const { ticked, step, isBusy, problem, goOn, back } = importing
  const isBarred = ticked.length === 0 || ticked.length > MOST_AT_ONCE
  return (
    <PageFoot
      label="Import"
      refusal={
        problem && (
          <Banner severity="error" title={problem.message}>
            {problem.hint}
          </Banner>
        )
      }
    >
      <Sum importing={importing} />
      {step === null ? (
        <SwitchOff importing={importing} />
      ) : (
        <Button size="form" onClick={back}>
          Back
        </Button>
      )}
      <Button
        size="form"
        variant="primary"
        busy={isBusy}
        aria-disabled={isBarred || undefined}
        aria-keyshortcuts="Control+Enter"
        onClick={goOn}
      >
        {verb(importing)}
      </Button>
    </PageFoot>
  )
}
