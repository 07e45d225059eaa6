import { type ReactElement, useState } from 'react'

import { Field } from '../../../ui/fields/field'
import { TextInput } from '../../../ui/fields/text-input'
import { FormDialog } from '../../../ui/overlays/form-dialog'
import { choiceOf, isVariableChoice } from './secret-choice'

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

/** The way to a variable of this computer that takes the place of a typed value. */
export function VariableChooser(props: {
  /** Element id of the control. */
  readonly elementId: string
  readonly chosen: string | null
  /** Appears while the field has the pointer or the focus. */
  readonly isOnDemand?: boolean
  readonly onChoose: (choice: string) => void
}): ReactElement {
  const { elementId, chosen, isOnDemand = false, onChoose } = props
  const [isOpen, setIsOpen] = useState(false)
  const [name, setName] = useState('')
  return (
    <>
      <button
        type="button"
        className={`text-button accent bare underlined small regular${isOnDemand ? ' on-demand' : ''}`}
        aria-describedby={`${elementId}-label`}
        onClick={() => setIsOpen(true)}
      >
        {isVariableChoice(chosen) ? 'Use another variable' : 'Use environment variable'}
      </button>
      {isOpen && (
        <FormDialog
          title="Use environment variable"
          description="Every start reads the value from Patchbay’s environment. Patchbay stores only the name."
          submitLabel="Use"
          onSubmit={() => {
            const typed = name.trim().replace(/^\$/, '')
            if (!NAME.test(typed)) return { name: 'Enter a name such as GITHUB_TOKEN.' }
            onChoose(choiceOf({ kind: 'environment', name: typed }))
            setIsOpen(false)
            return {}
          }}
          onClose={() => setIsOpen(false)}
          focusAfterId={elementId}
        >
          {({ id, problems }) => (
            <Field id={`${id}-name`} label="Name" problem={problems.name}>
              {(ids) => <TextInput {...ids} mono value={name} onValueChange={setName} />}
            </Field>
          )}
        </FormDialog>
      )}
    </>
  )
}
