import { Plus, X } from 'lucide-react'
import type { ReactElement } from 'react'

import { Button } from '../../../ui/controls/button'
import { IconButton } from '../../../ui/controls/icon-button'
import { GroupField } from '../../../ui/fields/field'
import { ProblemText } from '../../../ui/fields/problem-text'
import { SecretInput } from '../../../ui/fields/secret-input'
import { focusControl, problemsOf } from '../values/field-places'
import type { BoundField, FieldParts } from './field-context'
import { listOf } from './field-context'
import { LabelNotes } from './field-foot'

/** Several values of one secret, each typed once and passed on byte by byte: nothing is split. */
export function SecretListField(props: {
  readonly bound: BoundField
  readonly parts: FieldParts
}): ReactElement {
  const { bound, parts } = props
  const { field, error, onChange } = bound
  const { whole, entries: problems } = problemsOf(error)
  const list = listOf(bound)
  const entries = list.length > 0 ? list : ['']
  function change(next: string[], focused: number): void {
    onChange(next)
    requestAnimationFrame(() => focusControl(`${parts.id}-${focused}`, { scroll: false }))
  }
  return (
    <GroupField {...parts} note={<LabelNotes {...bound} />}>
      <div className="col gap-2">
        {entries.map((text, index) => {
          const id = `${parts.id}-${index}`
          const problem = problems[index] ?? (index === 0 ? whole : undefined)
          return (
            <div key={index}>
              <div className="entry row gap-1 anchor">
                <label className="sr" id={`${id}-label`} htmlFor={id}>
                  {`${field.label} ${index + 1}`}
                </label>
                <div className="grow">
                  <SecretInput
                    ids={{
                      id,
                      'aria-describedby': problem === undefined ? undefined : `${id}-problem`,
                      'aria-invalid': problem === undefined ? undefined : true,
                    }}
                    value={text}
                    onValueChange={(next) => onChange(entries.with(index, next ?? ''))}
                    placeholder={field.placeholder}
                    required={field.required}
                    choices={field.choices}
                  />
                </div>
                {entries.length > 1 ? (
                  <IconButton
                    icon={X}
                    label={`Remove value ${index + 1}`}
                    onClick={() => change(entries.toSpliced(index, 1), Math.max(0, index - 1))}
                  />
                ) : null}
              </div>
              {problem === undefined ? null : (
                <ProblemText id={`${id}-problem`}>{problem}</ProblemText>
              )}
            </div>
          )
        })}
      </div>
      <div>
        <Button size="small" icon={Plus} onClick={() => change([...entries, ''], entries.length)}>
          Add value
        </Button>
      </div>
    </GroupField>
  )
}
