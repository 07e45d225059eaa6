import type { ReactElement } from 'react'
import { useState } from 'react'

import { pickPath } from '../../../ipc/pick-path'
import { useApp } from '../../../stores/app-store'
import { DisclosureButton } from '../../../ui/controls/disclosure'
import { Field } from '../../../ui/fields/field'
import { PathInput } from '../../../ui/fields/path-input'
import { LimitField } from '../fields/limit-field'
import { PathNote } from '../fields/path-note'
import type { HandForm } from './hand-form'
import { elementOf, limitsOfKind, limitSpot } from './hand-problems'

type HandAdvancedProps = {
  readonly form: HandForm
  readonly onFormChange: (change: Partial<HandForm>) => void
  /** The problem that is shown at a spot. */
  readonly problemAt: (spot: string) => string | undefined
}

function FolderField({ form, onFormChange, problemAt }: HandAdvancedProps): ReactElement {
  const canPickPath = useApp((state) => state.app?.info.canPickPath) ?? false
  async function browse(): Promise<void> {
    const cwd = await pickPath('folder')
    if (cwd !== null) onFormChange({ cwd })
  }
  return (
    <Field
      id={elementOf('cwd')}
      label="Folder to run in"
      hint="Relative paths of the server start here. Empty is your home folder."
      problem={problemAt('cwd')}
      below={<PathNote path={form.cwd} expected="folder" />}
    >
      {(ids) => (
        <PathInput
          {...ids}
          value={form.cwd}
          onValueChange={(cwd) => onFormChange({ cwd })}
          onBrowse={canPickPath ? () => void browse() : undefined}
        />
      )}
    </Field>
  )
}

/** Folder and time limits, folded away unless there is a problem in them. */
export function HandAdvanced(props: HandAdvancedProps): ReactElement {
  const { form, onFormChange, problemAt } = props
  const [isOpen, setIsOpen] = useState(false)
  const isCommand = form.kind === 'command'
  const names = limitsOfKind(form.kind)
  const spots = [...(isCommand ? ['cwd'] : []), ...names.map(limitSpot)]
  const typed = [...(isCommand ? [form.cwd] : []), ...names.map((name) => form.limits[name])]
  const changed = typed.filter((text) => text.trim() !== '').length
  const shown = isOpen || spots.some((spot) => problemAt(spot) !== undefined)
  return (
    <div className="group">
      <div className="line-up">
        <DisclosureButton
          label="Advanced"
          open={shown}
          controls="hand-advanced"
          onOpenChange={setIsOpen}
        />
        <span className="faint">
          {spots.length} {spots.length === 1 ? 'field' : 'fields'}
          {changed > 0 ? `, ${String(changed)} changed` : ''}
        </span>
      </div>
      <div id="hand-advanced" className="own-fields" hidden={!shown}>
        {isCommand ? <FolderField {...props} /> : null}
        {names.map((name) => (
          <LimitField
            key={name}
            name={name}
            value={form.limits[name]}
            onValueChange={(text) => onFormChange({ limits: { ...form.limits, [name]: text } })}
            problem={problemAt(limitSpot(name))}
          />
        ))}
      </div>
    </div>
  )
}
