import type { JSX } from 'react'

import { Button } from '../../../ui/controls/button'
import { Dialog } from '../../../ui/overlays/dialog'
import { shortText, visibleText } from '../../../ui/text/visible-text'
import type { ViewPermission, ViewWish } from './view-host'

type Props<Kind extends ViewWish['kind']> = {
  readonly wish: Extract<ViewWish, { kind: Kind }>
  readonly onDecide: (permission: ViewPermission) => void
}

function CallDialog({ wish, onDecide }: Props<'call'>): JSX.Element {
  const deny = (): void => onDecide('deny')
  return (
    <Dialog
      comesUnasked
      onClose={deny}
      title={`Allow the view to call ${shortText(wish.name)}?`}
      description="The view sends exactly these arguments. This tool may change data."
      actions={
        <>
          <Button size="form" onClick={deny}>
            Deny
          </Button>
          <Button size="form" onClick={() => onDecide('view')}>
            Allow for this view
          </Button>
          <Button size="form" variant="primary" onClick={() => onDecide('once')}>
            Allow once
          </Button>
        </>
      }
    >
      <pre
        className="view-arguments box subtle pad-3 scroll break"
        tabIndex={0}
        aria-label="Arguments"
      >
        {visibleText(JSON.stringify(wish.args, null, 2))}
      </pre>
    </Dialog>
  )
}

function LinkDialog({ wish: { url }, onDecide }: Props<'link'>): JSX.Element {
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
          href={url.href}
          target="_blank"
          rel="noreferrer noopener"
          onClick={() => onDecide('once')}
        >
          Open
        </a>
      }
    >
      <p className="stack gap-1 break">
        <b className="medium ink">{url.host}</b>
        <code>{url.href}</code>
      </p>
    </Dialog>
  )
}

/** What a view wants to do, for the user to decide. */
export function ViewWishDialog({ wish, onDecide }: Props<'call'> | Props<'link'>): JSX.Element {
  return wish.kind === 'call' ? (
    <CallDialog wish={wish} onDecide={onDecide} />
  ) : (
    <LinkDialog wish={wish} onDecide={onDecide} />
  )
}
