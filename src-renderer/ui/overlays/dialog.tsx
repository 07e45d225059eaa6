import clsx from 'clsx'
import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import {
  type ComponentProps,
  type JSX,
  type ReactNode,
  type SubmitEvent,
  useId,
  useRef,
  useState,
} from 'react'

import { Button, IconButton } from '../controls/button'
import { ProblemText } from '../fields/field'
import { focusAfter, isDialogOpen, useReturn } from '../focus/restore-focus'

/** The dialog itself gets the focus: on a button, its tooltip would open and take the first Esc. */
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

/** Work of a dialog's main button: busy until it settles, and whether it is done when the dialog closes. */
function useDialogWork(focusAfterId: string | undefined): {
  readonly isBusy: boolean
  /** Focuses the named element after success. */
  readonly onCloseAutoFocus: (event: Event) => void
  /** Accepts work that resolves to whether it is done. */
  readonly run: (work: () => Promise<boolean>) => Promise<void>
} {
  const [isBusy, setIsBusy] = useState(false)
  const isDone = useRef(false)
  return {
    isBusy,
    onCloseAutoFocus: (event) => focusAfter(event, isDone.current ? focusAfterId : undefined),
    run: async (work) => {
      setIsBusy(true)
      // The dialog may be unmounted before the work settles.
      isDone.current = true
      let hasEnded = false
      try {
        hasEnded = await work()
      } finally {
        isDone.current = hasEnded
        setIsBusy(false)
      }
    },
  }
}

/** Mounted with the dialog, so that it knows the previously focused element. */
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
  /** Called on Esc, a click outside, or one of its own buttons; the owner then removes it. */
  readonly onClose: () => void
  readonly title: string
  readonly description?: ReactNode
  /** For lists and long texts. */
  readonly wide?: boolean
  /** Along the right edge of the window, with its buttons and a close button at the top; for content next to a list. */
  readonly side?: boolean
  /** Shown before the title: a tile. */
  readonly lead?: ReactNode
  /** Shown at the right of the title: small buttons. */
  readonly aside?: ReactNode
  /** It opens automatically: the dialog gets the focus, so that a pressed key triggers nothing, and a click outside does not close it. */
  readonly comesUnasked?: boolean
  /** It asks before something that cannot be undone. */
  readonly isAlert?: boolean
  readonly children?: ReactNode
  /** Label of the button that only closes it, before the others. */
  readonly leave?: string
  /** The other buttons at the bottom, the main one last. */
  readonly actions?: ReactNode
  /** Called before the focus is restored; see `focusAfter`. */
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

/** Whether a dialog or a menu covers the page, so that the page's own keys are disabled. */
export function isCovered(): boolean {
  return isDialogOpen() || document.querySelector('[role="menu"]') !== null
}

/** Result of a confirmed action; with `stays` the dialog remains open. */
export type Outcome = 'done' | 'failed' | 'stays'

/** Asks before something that cannot be undone; the safe answer has the focus. */
export function ConfirmDialog({
  confirmLabel,
  cancelLabel = 'Cancel',
  danger = true,
  onConfirm,
  focusAfterId,
  ...shown
}: Pick<
  ComponentProps<typeof Dialog>,
  'open' | 'onClose' | 'title' | 'description' | 'children'
> & {
  /** Verb and name: "Remove GitHub". */
  readonly confirmLabel: string
  readonly cancelLabel?: string
  readonly danger?: boolean
  /** Its button is busy until this settles; then the dialog closes, unless it stays. */
  readonly onConfirm: () => Outcome | Promise<Outcome>
  /** Element to focus after success, if the dialog's trigger is removed. */
  readonly focusAfterId?: string
}): JSX.Element {
  const { isBusy, onCloseAutoFocus, run } = useDialogWork(focusAfterId)
  const confirm = async (): Promise<boolean> => {
    let outcome: Outcome = 'failed'
    try {
      outcome = await onConfirm()
    } finally {
      if (outcome !== 'stays') shown.onClose()
    }
    return outcome === 'done'
  }
  return (
    <Dialog
      {...shown}
      isAlert
      leave={cancelLabel}
      onCloseAutoFocus={onCloseAutoFocus}
      actions={
        <Button
          size="form"
          variant={danger ? 'danger-solid' : 'primary'}
          busy={isBusy}
          onClick={() => void run(confirm)}
        >
          <span className="truncate">{confirmLabel}</span>
        </Button>
      }
    />
  )
}

/** Problems by field name; `other` belongs to no field, and `topic` is its error code. */
export type Problems = Readonly<Record<string, string | undefined>>

/** Returns a partially filled field: the browser reports no value for it, as if it were empty. */
function halfFilled(form: HTMLFormElement): Element | undefined {
  return [...form.elements].find(
    (field) => field instanceof HTMLInputElement && field.validity.badInput,
  )
}

/** A small form over the page: problems appear at their field, which gets the focus; nothing typed is lost. */
export function FormDialog({
  submitLabel,
  onSubmit,
  onClose,
  focusAfterId,
  children,
  ...shown
}: Pick<ComponentProps<typeof Dialog>, 'title' | 'description' | 'onClose'> & {
  readonly submitLabel: string
  /** Resolves to the problems and never rejects; on success it has closed the dialog. */
  readonly onSubmit: () => Problems | Promise<Problems>
  /** Element to focus after success, if the dialog's trigger is removed. */
  readonly focusAfterId?: string | undefined
  /** The fields; the id of each is `id`, a hyphen, and the name of its problem. */
  readonly children: (form: { readonly id: string; readonly problems: Problems }) => ReactNode
}): JSX.Element {
  const id = useId()
  const [problems, setProblems] = useState<Problems>({})
  const { isBusy, onCloseAutoFocus, run } = useDialogWork(focusAfterId)
  const show = (found: Problems): void => {
    setProblems(found)
    const wrong = Object.keys(found).find((field) => found[field] !== undefined)
    requestAnimationFrame(() => document.getElementById(`${id}-${wrong ?? ''}`)?.focus())
  }
  const send = async (): Promise<boolean> => {
    const found = await onSubmit()
    show(found)
    return Object.values(found).every((problem) => problem === undefined)
  }
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    // A dialog over a form is its child in React, and would submit that form too.
    event.stopPropagation()
    const half = halfFilled(event.currentTarget as HTMLFormElement)
    if (half) show({ [half.id.slice(id.length + 1)]: 'Complete this value.' })
    else if (!isBusy) void run(send)
  }
  return (
    <Dialog
      {...shown}
      onClose={onClose}
      onCloseAutoFocus={onCloseAutoFocus}
      leave="Cancel"
      actions={
        <Button size="form" variant="primary" type="submit" form={id} busy={isBusy}>
          {submitLabel}
        </Button>
      }
    >
      <form id={id} className="mt-4 grid gap-3" noValidate onSubmit={submit}>
        {children({ id, problems })}
        {problems.other !== undefined && (
          <ProblemText topic={problems.topic}>{problems.other}</ProblemText>
        )}
      </form>
    </Dialog>
  )
}
