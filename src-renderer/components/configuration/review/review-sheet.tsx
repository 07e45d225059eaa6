import { ShieldCheck } from 'lucide-react'
import { type ReactElement, type ReactNode, useEffect, useEffectEvent, useState } from 'react'

import type { Adjustment } from '../../../../src-shared/domain/installation/configuration'
import { useAction } from '../../../ipc/use-action'
import { Button } from '../../../ui/controls/button'
import { type Crumb, keepFocus, Page } from '../../../ui/layout/page'
import { PageFoot } from '../../../ui/layout/section'
import { isCovered } from '../../../ui/overlays/dialog'
import { counted } from '../../../ui/text/format'
import { ReviewList } from './review-list'
import type { Candidate } from './review-messages'

/** Installs the candidates; with `approves`, exactly what was shown of each is approved and starts. */
type Install = (
  candidates: readonly Candidate[],
  approval: { readonly approves: boolean },
) => Promise<void>

type Change = Adjustment['change']

type ReviewSheetProps = {
  readonly crumbs: readonly Crumb[]
  readonly candidates: readonly Candidate[]
  /** Resolves when they are installed; a rejection is shown, and the sheet stays. */
  readonly install: Install
  readonly onBack: () => void
  /** Shows a candidate again with the change made. Rejects where it can't be read. */
  readonly adjust: (candidate: Candidate, change: Change) => Promise<void>
  /** More about what the approval does, such as files that change with it. */
  readonly note?: string
  readonly children?: ReactNode
}

/**
 * A page with the commands of several servers, all of them in full, and one approval for those that are included. What
 * installs them is the caller's.
 */
export function ReviewSheet(props: ReviewSheetProps): ReactElement {
  const { crumbs, candidates, install, onBack, adjust, note, children } = props
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const included = candidates.filter(({ key }) => !left.has(key))
  const installing = useAction(({ approves }: { readonly approves: boolean }) =>
    install(included, { approves }),
  )
  const run = (approves: boolean): void => {
    if (included.length > 0) installing.run({ approves })
  }
  const servers = counted(included.length, 'server')
  useEffect(keepFocus, [])
  useCommitKey(() => run(true))

  function include({ key }: Candidate, isIncluded: boolean): void {
    const next = new Set(left)
    if (isIncluded) next.delete(key)
    else next.add(key)
    setLeft(next)
  }
  return (
    <Page
      title={`Approve ${servers}`}
      crumbs={crumbs}
      foot={
        <PageFoot label="Consent" problem={installing.problem}>
          <ShieldCheck className="icon soft" aria-hidden />
          <p className="grow soft pretty">
            <b className="block ink">
              Patchbay will run exactly these commands with your user permissions.
            </b>
            {note ?? 'A changed command needs your approval again.'}
          </p>
          <Button size="form" onClick={onBack}>
            Back
          </Button>
          <Button
            size="form"
            busy={installing.busyWith?.approves === false}
            onClick={() => run(false)}
          >
            Add without approval
          </Button>
          <Button
            size="form"
            variant="primary"
            busy={installing.busyWith?.approves === true}
            aria-disabled={included.length === 0 || undefined}
            aria-keyshortcuts="Control+Enter"
            onClick={() => run(true)}
          >
            {`Approve ${servers}`}
          </Button>
        </PageFoot>
      }
    >
      <ReviewList
        candidates={candidates}
        isIncluded={({ key }) => !left.has(key)}
        onInclude={include}
        onAdjust={adjust}
      />
      {children}
    </Page>
  )
}

/** Ctrl+Enter, or Cmd+Enter, commits from anywhere on the page; with null the key is left to others. */
export function useCommitKey(commit: (() => void) | null): void {
  const press = useEffectEvent((event: KeyboardEvent): void => {
    if (commit === null) return
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return
    if (isCovered()) return
    event.preventDefault()
    commit()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => press(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
}
