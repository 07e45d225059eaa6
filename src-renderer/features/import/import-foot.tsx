import type { JSX } from 'react'

import { useApp } from '../../stores/app-store'
import { Button } from '../../ui/controls/button'
import { Checkbox } from '../../ui/controls/checkbox'
import { PageFoot } from '../../ui/layout/section'
import { counted } from '../../ui/text/format'
import { entriesToSwitchOff, sumWords } from './found-rows'
import { type Import, MOST_AT_ONCE } from './use-import'

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
  const { ticked, step, isBusy, problem, goOn, back, switchesOff, setSwitchesOff } = importing
  const isBarred = ticked.length === 0 || ticked.length > MOST_AT_ONCE
  return (
    <PageFoot label="Import" problem={problem}>
      <Sum importing={importing} />
      {step === null ? (
        <Checkbox checked={switchesOff} onCheckedChange={setSwitchesOff}>
          <span>Turn off in original apps</span>
        </Checkbox>
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
