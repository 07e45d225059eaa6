import clsx from 'clsx'
import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { type ComponentProps, type JSX, type ReactNode, useRef, useState } from 'react'

import { Button, IconButton } from '../controls/button'
import { focusAfter, isDialogOpen, useReturn } from '../focus/restore-focus'

/** The dialog itself takes the focus: on a button its tooltip would open, and take the first Esc. */
const FOCUSED = {
  onOpenAutoFocus: (event: Event) => {
    event.preventDefault()
    if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
  },
} as const
const UNASKED = { ...FOCUSED, onInteractOutside: (event: Event) => event.preventDefault() } as const
/** The safe answer has the focus. */
const ALERT = {
  ...UNASKED,
  role: 'alertdialog',
  onOpenAutoFocus: (event: Event) => {
    event.preventDefault()
    const dialog = event.currentTarget instanceof HTMLElement ? event.currentTarget : null
    dialog?.querySelector<HTMLElement>('.actions button')?.focus()
  },
} as const

function Head(props: {
  readonly title: string
  readonly side: boolean
  readonly lead: ReactNode
  readonly aside: ReactNode
}): JSX.Element {
  const { side, lead, aside } = props
  if (lead === undefined && aside === undefined)
    return (
      <Radix.Title className={`dialog-title ${side ? 'mono text-lead' : 'mb-1 text-title'}`}>
        {props.title}
      </Radix.Title>
    )
  return (
    <div className="dialog-head mb-2 flex items-start gap-2">
      {lead}
      <Radix.Title className="dialog-title min-w-0 flex-1 text-title">{props.title}</Radix.Title>
      {aside}
    </div>
  )
}

function Foot(props: {
  readonly leave: string | undefined
  readonly side: boolean | undefined
  readonly onClose: () => void
  readonly children: ReactNode
}): JSX.Element | null {
  const { leave, side, onClose, children } = props
  if (leave === undefined && side !== true && children === undefined) return null
  return (
    <div className="actions mt-5 flex justify-end gap-2">
      {leave !== undefined && (
        <Button size="form" onClick={onClose}>
          {leave}
        </Button>
      )}
      {children}
      {side === true && <IconButton icon={X} label="Close" shortcut="Esc" onClick={onClose} />}
    </div>
  )
}

/** What the main button of a dialog begins: busy until it is settled, and whether it is done as the dialog goes. */
export function useDialogWork(focusAfterId: string | undefined): {
  readonly isBusy: boolean
  /** Gives the focus to what is named, once it is done. */
  readonly onCloseAutoFocus: (event: Event) => void
  /** Gets work that resolves to whether it is done. */
  readonly run: (work: () => Promise<boolean>) => Promise<void>
} {
  const [isBusy, setIsBusy] = useState(false)
  const isDone = useRef(false)
  return {
    isBusy,
    onCloseAutoFocus: (event) => focusAfter(event, isDone.current ? focusAfterId : undefined),
    run: async (work) => {
      setIsBusy(true)
      // Before the answer comes, what the dialog belongs to may be gone, and the dialog with it.
      isDone.current = true
      let isOver = false
      try {
        isOver = await work()
      } finally {
        isDone.current = isOver
        setIsBusy(false)
      }
    },
  }
}

/** Stands as long as the dialog is open, so that it knows what had the focus before. */
function Content({ onCloseAutoFocus, ...rest }: ComponentProps<typeof Radix.Content>): JSX.Element {
  const leave = useReturn(onCloseAutoFocus)
  return <Radix.Content {...rest} onCloseAutoFocus={leave} />
}

/** A question or a small form over the page; Esc and a click outside close it. */
export function Dialog({
  open = true,
  onClose,
  title,
  description,
  wide,
  side,
  lead,
  aside,
  comesUnasked = false,
  isAlert = false,
  children,
  leave,
  actions,
  onCloseAutoFocus,
}: {
  readonly open?: boolean
  /** By Esc, a click outside, or one of its own buttons; its owner takes it away then. */
  readonly onClose: () => void
  readonly title: string
  readonly description?: ReactNode
  /** For lists and long texts. */
  readonly wide?: boolean
  /** Along the right edge of the window, with its buttons at the head and one that closes it; for what is looked at beside a list. */
  readonly side?: boolean
  /** Before the title: a tile. */
  readonly lead?: ReactNode
  /** At the right of the title: small buttons. */
  readonly aside?: ReactNode
  /** It opens automatically: the focus is on the dialog, so that a key in flight presses nothing, and a click outside leaves it. */
  readonly comesUnasked?: boolean
  /** It asks before something that cannot be undone. */
  readonly isAlert?: boolean
  readonly children?: ReactNode
  /** The button that does nothing else, before the others. */
  readonly leave?: string
  /** The other buttons at the foot, the main one last. */
  readonly actions?: ReactNode
  /** Called when the focus is about to go back to what had it before; see `focusAfter`. */
  readonly onCloseAutoFocus?: (event: Event) => void
}): JSX.Element {
  return (
    <Radix.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={clsx('scrim grid place-items-center', side && 'is-side')}>
          <Content
            className={clsx(
              'dialog float wrap-anywhere',
              wide && 'is-wide',
              side && 'is-side relative flex flex-col',
            )}
            {...(onCloseAutoFocus && { onCloseAutoFocus })}
            {...(description === undefined ? { 'aria-describedby': undefined } : {})}
            {...(side && FOCUSED)}
            {...(comesUnasked && UNASKED)}
            {...(isAlert && ALERT)}
          >
            <Head title={title} side={side === true} lead={lead} aside={aside} />
            {description !== undefined && (
              <Radix.Description asChild>
                <div className="dialog-text text-pretty text-muted">{description}</div>
              </Radix.Description>
            )}
            {children}
            <Foot leave={leave} side={side} onClose={onClose}>
              {actions}
            </Foot>
          </Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** Whether a dialog or a menu lies over the page, so that the page's own keys mean nothing. */
export function isCovered(): boolean {
  return isDialogOpen() || document.querySelector('[role="menu"]') !== null
}
