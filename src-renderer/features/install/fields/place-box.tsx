import { KeyRound, Unlink } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'

import { Button } from '../../../ui/controls/button'
import { IconButton } from '../../../ui/controls/icon-button'
import type { ControlIds } from '../../../ui/fields/field'

/** Stands where a value is typed, and names the place that it comes from instead. */
export function PlaceBox(props: {
  readonly ids: ControlIds
  readonly isInvalid?: boolean
  /** In a line with other things, where the name needs the room. */
  readonly isCompact?: boolean
  readonly title?: string | undefined
  readonly onDrop: () => void
  readonly children: ReactNode
}): ReactElement {
  const { ids, isInvalid = false, isCompact = false, title, onDrop, children } = props
  const drop = { 'aria-describedby': `${ids.id}-label`, onClick: onDrop }
  return (
    <div
      className={
        isInvalid || ids['aria-invalid'] === true ? 'input is-saved is-invalid' : 'input is-saved'
      }
      id={ids.id}
      role="group"
      aria-labelledby={`${ids.id}-label`}
      aria-describedby={ids['aria-describedby']}
      tabIndex={-1}
    >
      <KeyRound className="icon icon-s faint" aria-hidden />
      <span className="grow cut" role="status" title={title}>
        {children}
      </span>
      {isCompact ? (
        <IconButton icon={Unlink} label="Don't use" {...drop} />
      ) : (
        <Button variant="quiet" size="small" {...drop}>
          Don&apos;t use
        </Button>
      )}
    </div>
  )
}

/** `$NAME` of a variable of this computer, and when it is read. */
export function VariableText({ choice }: { readonly choice: string }): ReactElement {
  return (
    <>
      <code>{choice}</code> from your environment, read at every start
    </>
  )
}
