import type { JSX } from 'react'
import { useId, useRef, useState } from 'react'

import type { RemovalList } from '../../../src-shared/domain/state/removal'
import { ProblemText } from '../../ui/fields/problem-text'
import { TextInput } from '../../ui/fields/text-input'
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog'
import { consequenceWords } from './messages'
import { removeEverything } from './removal-store'

const WORD = 'remove'

/** Names what is lost, and begins once the word is typed. */
export function ConfirmRemoval(props: {
  readonly list: RemovalList
  readonly onClose: () => void
}): JSX.Element {
  const { list, onClose } = props
  const [typed, setTyped] = useState('')
  const [isMissed, setIsMissed] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  function confirm(): 'stays' {
    if (typed.trim().toLowerCase() === WORD) void removeEverything()
    else {
      setIsMissed(true)
      input.current?.focus()
    }
    return 'stays'
  }
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Remove everything?"
      description={consequenceWords(list)}
      confirmLabel="Remove everything"

      onConfirm={confirm}
    >
      <div className="field stack gap-1 above-4">
        <div className="label flex at-base gap-2 slim medium">
          <label htmlFor={id}>Type “{WORD}” to confirm</label>
        </div>
        <TextInput
          id={id}
          inputRef={input}
          value={typed}
          onValueChange={(value) => {
            setTyped(value)
            setIsMissed(false)
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter') confirm()
          }}
          aria-invalid={isMissed}
          aria-describedby={isMissed ? `${id}-problem` : undefined}
        />
        {isMissed && <ProblemText id={`${id}-problem`}>Type “{WORD}” here.</ProblemText>}
      </div>
    </ConfirmDialog>
  )
}
