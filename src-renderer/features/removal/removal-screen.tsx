import clsx from 'clsx'
import { Copy, RotateCw } from 'lucide-react'
import { type JSX, useEffect } from 'react'

import type { RemovalOutcome } from '../../../src-shared/domain/state/removal'
import { useAction } from '../../ipc/use-request'
import { Button } from '../../ui/controls/button'
import { TooltipProvider } from '../../ui/controls/tooltip'
import { BlankState } from '../../ui/layout/page'
import { ErrorHelp } from '../../ui/overlays/error-help'
import { Toaster } from '../../ui/overlays/toast'
import { copyText } from '../../ui/saving/copy-text'
import { problemText } from '../../ui/text/format'
import { outcomeText, remainingText, RemovalItems } from './removal-items'
import { endPatchbay, removeEverything, useRemovalPhase } from './removal-store'

function Quit({ isMain = true }: { readonly isMain?: boolean }): JSX.Element {
  const { isBusy, run } = useAction(endPatchbay)
  return (
    <Button variant={isMain ? 'primary' : 'default'} busy={isBusy} onClick={() => run()}>
      Quit Patchbay
    </Button>
  )
}

function Stopped(props: {
  readonly title: string
  readonly message: string
  readonly again: string
}): JSX.Element {
  const { again: retryLabel, ...state } = props
  return (
    <BlankState
      art="cut"
      {...state}
      action={
        <div className="inline-flex flex-wrap items-center gap-2">
          <Button icon={RotateCw} onClick={() => void removeEverything()}>
            {retryLabel}
          </Button>
          <Quit />
        </div>
      }
    />
  )
}

function Outcome({ outcome }: { readonly outcome: RemovalOutcome }): JSX.Element {
  const { removed, left } = outcome
  return (
    <div className="mx-auto flex max-w-text flex-col gap-5 px-6 py-8">
      <h1 className="text-lead">
        {left.length === 0
          ? 'Patchbay removed from this computer'
          : `Patchbay removed, but ${remainingText(left.length)}`}
      </h1>
      <p className="text-muted">
        {left.length === 0
          ? 'Quit Patchbay now. The next start begins with an empty profile.'
          : 'Fix the problems below, then try again. Or quit and remove the items manually.'}
      </p>
      <div className="flex flex-wrap gap-2">
        {left.length > 0 && (
          <Button icon={RotateCw} variant="primary" onClick={() => void removeEverything()}>
            Try again
          </Button>
        )}
        <Quit isMain={left.length === 0} />
        <Button icon={Copy} onClick={() => copyText(outcomeText(outcome), 'List copied.')}>
          Copy list
        </Button>
      </div>
      {left.length > 0 && <RemovalItems title="Remaining" items={left} />}
      <RemovalItems title="Removed" items={removed.map((label) => ({ label }))} />
    </div>
  )
}

function Phase(): JSX.Element | null {
  const phase = useRemovalPhase()
  switch (phase.kind) {
    case 'none':
      return null
    case 'removing':
      return (
        <BlankState
          art="waiting"
          title="Removing everything"
          message="Removing app entries, stopping servers, and deleting secrets and files."
        />
      )
    case 'failed':
      return (
        <Stopped
          title="Removal incomplete"
          message={problemText(phase.problem)}
          again="Try again"
        />
      )
    case 'unknown':
      return (
        <Stopped
          title="Patchbay removed from this computer"
          message="Deleting remaining items. Show them to try again."
          again="Show remaining items"
        />
      )
    case 'done':
      return <Outcome outcome={phase.outcome} />
    case 'ended':
      return <BlankState art="cut" title="Patchbay has quit" message="You can close this page." />
  }
}

/** The full-window screen during and after the removal of everything. */
export function RemovalScreen(): JSX.Element {
  const { kind } = useRemovalPhase()
  useEffect(() => {
    document.title = 'Remove everything - Patchbay'
    // The focused element disappears with each phase.
    document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true })
  }, [kind])
  return (
    <TooltipProvider delayDuration={500}>
      <main
        id="main"
        tabIndex={-1}
        className={clsx(
          'removal-main',
          kind === 'done' ? 'scroll h-full bg-surface' : 'grid h-screen',
        )}
      >
        <div {...(kind === 'removing' && { role: 'status' })}>
          <Phase />
        </div>
      </main>
      <ErrorHelp />
      <Toaster />
    </TooltipProvider>
  )
}
