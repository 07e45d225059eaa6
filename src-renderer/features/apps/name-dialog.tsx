import { type JSX, useState } from 'react'

import { formProblem } from '../../ipc/show-failure'
import { Field } from '../../ui/fields/field'
import { TextInput } from '../../ui/fields/text-input'
import { FormDialog, type Problems } from '../../ui/overlays/form-dialog'

/** Asks for the name of an app. `save` rejects as main does; a taken name is reported at the field. */
export function NameDialog({
  title,
  description,
  submitLabel,
  name = '',
  save,
  onClose,
}: {
  readonly title: string
  readonly description: string
  readonly submitLabel: string
  readonly name?: string | undefined
  readonly save: (name: string) => Promise<void>
  readonly onClose: () => void
}): JSX.Element {
  const [typed, setTyped] = useState(name)
  const submit = async (): Promise<Problems> => {
    const wanted = typed.trim()
    if (wanted === '') return { name: 'Enter a name.' }
    try {
      await save(wanted)
      return {}
    } catch (thrown) {
      return formProblem(thrown)
    }
  }
  return (
    <FormDialog
      title={title}
      description={description}
      submitLabel={submitLabel}
      onSubmit={submit}
      onClose={onClose}
    >
      {({ id, problems }) => (
        <Field id={`${id}-name`} label="Name" problem={problems.name}>
          {(ids) => (
            <TextInput
              {...ids}
              aria-required
              maxLength={60}
              placeholder="Cursor"
              value={typed}
              onValueChange={setTyped}
            />
          )}
        </Field>
      )}
    </FormDialog>
  )
}
