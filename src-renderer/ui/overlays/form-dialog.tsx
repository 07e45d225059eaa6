import {
  type ComponentProps,
  type JSX,
  type ReactNode,
  type SubmitEvent,
  useId,
  useState,
} from 'react'

import { Button } from '../controls/button'
import { ProblemText } from '../fields/problem-text'
import { Dialog, useDialogWork } from './dialog'

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
