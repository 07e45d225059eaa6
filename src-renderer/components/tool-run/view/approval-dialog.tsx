import type { JSX } from 'react'
import { useEffect, useState } from 'react'

import { Button } from '../../../ui/controls/button'
import { Dialog } from '../../../ui/overlays/dialog'
import { shortText, visibleText } from '../../../ui/text/visible-text'
import type { Decision, ViewAction } from './use-approvals'

/** A click within this time, in ms, was meant for what was there before: the view chooses when the dialog opens. */
const GUARD_MS = 500

type Props<Kind extends ViewAction['kind']> = {
  readonly action: Extract<ViewAction, { kind: Kind }>
  readonly isGuarded: boolean
  readonly onDecide: (decision: Decision) => void
}

function CallDialog({ action, isGuarded, onDecide }: Props<'call'>): JSX.Element {
  const deny = (): void => onDecide('deny')
  return (
    <Dialog
      comesUnasked
      onClose={deny}
      title={`Allow the view to call ${shortText(action.name)}?`}
      description="The view sends exactly these arguments. This tool may change data."
      actions={
        <>
          <Button size="form" onClick={deny}>
            Deny
          </Button>
          <Button size="form" disabled={isGuarded} onClick={() => onDecide('view')}>
            Allow for this view
          </Button>
          <Button
            size="form"
            variant="primary"
            disabled={isGuarded}
            onClick={() => onDecide('once')}
          >
            Allow once
          </Button>
        </>
      }
    >
      <pre
        className="view-arguments box subtle above-2 pad-3 scroll break"
        tabIndex={0}
        aria-label="Arguments"
      >
        {visibleText(JSON.stringify(action.args, null, 2))}
      </pre>
    </Dialog>
  )
}

function LinkDialog({ action: { url }, isGuarded, onDecide }: Props<'link'>): JSX.Element {
  return (
    <Dialog
      comesUnasked
      onClose={() => onDecide('deny')}
      title="Open this link in your browser?"
      description="The view provided this link. Patchbay hasn’t checked the site."
      leave="Cancel"
      actions={
        <a
          className="btn btn-primary btn-field"
          href={isGuarded ? undefined : url.href}
          aria-disabled={isGuarded}
          role="link"
          target="_blank"
          rel="noreferrer noopener"
          onClick={() => !isGuarded && onDecide('once')}
        >
          Open
        </a>
      }
    >
      <p className="above-2 stack gap-1 break">
        <b className="medium ink">{url.host}</b>
        <code>{url.href}</code>
      </p>
    </Dialog>
  )
}

/** Asks the user whether a view may do something. */
export function ApprovalDialog({
  action,
  onDecide,
}: {
  readonly action: ViewAction
  readonly onDecide: (decision: Decision) => void
}): JSX.Element {
  const [isGuarded, setIsGuarded] = useState(true)
  useEffect(() => {
    const timer = setTimeout(() => setIsGuarded(false), GUARD_MS)
    return () => clearTimeout(timer)
  }, [])
  return action.kind === 'call' ? (
    <CallDialog {...{ action, isGuarded, onDecide }} />
  ) : (
    <LinkDialog {...{ action, isGuarded, onDecide }} />
  )
}
