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
function useDialogWork(focusAfterId: string | undefined): {
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

/** What came of what was confirmed; the dialog stays where it is not answered yet. */
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
  /** The verb and the name: "Remove GitHub". */
  readonly confirmLabel: string
  readonly cancelLabel?: string
  readonly danger?: boolean
  /** Its button is busy until this is settled; then the dialog is closed, unless it stays. */
  readonly onConfirm: () => Outcome | Promise<Outcome>
  /** What gets the focus once it is done, where what opened the dialog goes with it. */
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

/** Problems by the name of the field; `other` belongs to none of them, and `topic` is its error code. */
export type Problems = Readonly<Record<string, string | undefined>>

/** The field that is filled in halfway: the browser gives no value for it then, as if it were empty. */
function halfFilled(form: HTMLFormElement): Element | undefined {
  return [...form.elements].find(
    (field) => field instanceof HTMLInputElement && field.validity.badInput,
  )
}

/** A small form over the page: what is wrong stands at its field, which gets the focus; nothing typed is lost. */
export function FormDialog({
  submitLabel,
  onSubmit,
  onClose,
  focusAfterId,
  children,
  ...shown
}: Pick<ComponentProps<typeof Dialog>, 'title' | 'description' | 'onClose'> & {
  readonly submitLabel: string
  /** Resolves to what is wrong, and never rejects; where nothing is, it has closed the dialog. */
  readonly onSubmit: () => Problems | Promise<Problems>
  /** What gets the focus once it is done, where what opened the dialog goes with it. */
  readonly focusAfterId?: string | undefined
  /** The fields; the id of each is `id`, a hyphen, and the name by which its problem is named. */
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
    // A dialog over a form is its child in React, and would submit that too.
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
