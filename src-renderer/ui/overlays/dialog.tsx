import clsx from 'clsx'
import { Dialog as Radix } from 'radix-ui'
import type { ComponentProps, JSX, ReactNode } from 'react'

import { useReturn } from '../focus/use-way-back'

/** The dialog itself takes the focus: on a button its tooltip would open, and take the first Esc. */
const FOCUSED = {
  onOpenAutoFocus: (event: Event) => {
    event.preventDefault()
    if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
  },
} as const
const UNASKED = {
  ...FOCUSED,
  onInteractOutside: (event: Event) => event.preventDefault(),
} as const

function Head(props: {
  readonly title: string
  readonly lead: ReactNode
  readonly aside: ReactNode
}): JSX.Element {
  const { lead, aside } = props
  const title = <Radix.Title className="dialog-title">{props.title}</Radix.Title>
  if (lead === undefined && aside === undefined) return title
  return (
    <div className="dialog-head row at-top gap-2 below-2">
      {lead}
      {title}
      {aside}
    </div>
  )
}

function Foot({ children }: { readonly children: ReactNode }): JSX.Element | null {
  return children === undefined ? null : <div className="actions">{children}</div>
}

/** Stands as long as the dialog is open, so that it knows what had the focus before. */
function Content({ onCloseAutoFocus, ...rest }: ComponentProps<typeof Radix.Content>): JSX.Element {
  const leave = useReturn(onCloseAutoFocus)
  return <Radix.Content {...rest} onCloseAutoFocus={leave} />
}

/** A question or a small form over the page; Esc and a click outside close it. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  wide = false,
  side = false,
  lead,
  aside,
  comesUnasked = false,
  children,
  actions,
  onCloseAutoFocus,
}: {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly title: string
  readonly description?: ReactNode
  /** For lists and long texts. */
  readonly wide?: boolean
  /** Along the right edge of the window, with its buttons at the head; for what is looked at beside a list. */
  readonly side?: boolean
  /** Before the title: a tile. */
  readonly lead?: ReactNode
  /** At the right of the title: small buttons. */
  readonly aside?: ReactNode
  /** It opens by itself: the focus is on the dialog, so that a key in flight presses nothing, and a click outside leaves it. */
  readonly comesUnasked?: boolean
  readonly children?: ReactNode
  /** Buttons at the foot, the main one last; missing where the children bring their own. */
  readonly actions?: ReactNode
  /** Called when the focus is about to go back to what had it before; see `focusAfter`. */
  readonly onCloseAutoFocus?: (event: Event) => void
}): JSX.Element {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={clsx('scrim stack', side && 'is-side')}>
          <Content
            className={clsx('dialog break', wide && 'is-wide', side && 'is-side')}
            {...(onCloseAutoFocus && { onCloseAutoFocus })}
            {...(description === undefined ? { 'aria-describedby': undefined } : {})}
            {...(side && FOCUSED)}
            {...(comesUnasked && UNASKED)}
          >
            <Head title={title} lead={lead} aside={aside} />
            {description !== undefined && (
              <Radix.Description asChild>
                <div className="dialog-text soft pretty">{description}</div>
              </Radix.Description>
            )}
            {children}
            <Foot>{actions}</Foot>
          </Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  )
}
