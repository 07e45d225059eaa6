import type { JSX, ReactNode, SubmitEvent } from 'react'
import { useId, useRef, useState } from 'react'

import { Button } from '../controls/button'
import { ProblemText } from '../fields/problem-text'
import { focusAfter } from '../focus/restore-focus'
import { Dialog } from './dialog'

/** Problems by the name of the field; `other` belongs to none of them, and `topic` is its error code. */
export type Problems = Readonly<Record<string, string | undefined>>

/** The field that is filled in halfway: the browser gives no value for it then, as if it were empty. */
function halfFilled(form: HTMLFormElement): Element | undefined {
  return [...form.elements].find(
    (field) => field instanceof HTMLInputElement && field.validity.badInput,
  )
}

function useSubmit(
  id: string,
  onSubmit: () => Problems | Promise<Problems>,
): {
  readonly problems: Problems
  readonly isBusy: boolean
  readonly isDone: () => boolean
  readonly submit: (event: SubmitEvent) => void
} {
  const [problems, setProblems] = useState<Problems>({})
  const [isBusy, setIsBusy] = useState(false)
  const isDone = useRef(false)
  const show = (found: Problems): void => {
    setProblems(found)
    const wrong = Object.keys(found).find((field) => found[field] !== undefined)
    requestAnimationFrame(() => document.getElementById(`${id}-${wrong ?? ''}`)?.focus())
  }
  const ask = async (): Promise<void> => {
    setIsBusy(true)
    // Before the answer comes, what the dialog belongs to may be gone, and the dialog with it.
    isDone.current = true
    const found = await onSubmit()
    isDone.current = Object.values(found).every((problem) => problem === undefined)
    setIsBusy(false)
    show(found)
  }
  return {
    ...{ problems, isBusy, isDone: () => isDone.current },
    submit: (event) => {
      event.preventDefault()
      // A dialog over a form is its child in React, and would submit that too.
      event.stopPropagation()
      const half = halfFilled(event.currentTarget as HTMLFormElement)
      if (half) show({ [half.id.slice(id.length + 1)]: 'Complete this value.' })
      else if (!isBusy) void ask()
    },
  }
}

/** A small form over the page: what is wrong stands at its field, which gets the focus; nothing typed is lost. */
export function FormDialog({
  submitLabel,
  onSubmit,
  onClose,
  focusAfterId,
  children,
  ...shown
}: {
  readonly title: string
  readonly description: ReactNode
  readonly submitLabel: string
  /** Resolves to what is wrong, and never rejects; where nothing is, it has closed the dialog. */
  readonly onSubmit: () => Problems | Promise<Problems>
  readonly onClose: () => void
  /** What gets the focus once it is done, where what opened the dialog goes with it. */
  readonly focusAfterId?: string | undefined
  /** The fields; the id of each is `id`, a hyphen, and the name by which its problem is told. */
  readonly children: (form: { readonly id: string; readonly problems: Problems }) => ReactNode
}): JSX.Element {
  const id = useId()
  const { problems, isBusy, isDone, submit } = useSubmit(id, onSubmit)
  return (
    <Dialog
      {...shown}
      onClose={onClose}
      onCloseAutoFocus={(event) => focusAfter(event, isDone() ? focusAfterId : undefined)}
      leave="Cancel"
      actions={
        <Button size="form" variant="primary" type="submit" form={id} busy={isBusy}>
          {submitLabel}
        </Button>
      }
    >
      <form id={id} className="stack gap-3 above-4" noValidate onSubmit={submit}>
        {children({ id, problems })}
        {problems.other !== undefined && (
          <ProblemText topic={problems.topic}>{problems.other}</ProblemText>
        )}
      </form>
    </Dialog>
  )
}
