import type { ReactElement } from 'react'

import { GroupField } from '../../../ui/fields/field'
import { ListEditor } from '../../../ui/fields/list-editor'
import { pathKind, problemsOf } from '../values/field-places'
import { expectedKind } from '../values/path-messages'
import type { BoundField, FieldParts } from './field-context'
import { listOf } from './field-context'
import { LabelNotes } from './field-foot'
import { PathNote } from './path-note'

/** A field of several values, each with its own input. */
export function ListField(props: {
  readonly bound: BoundField
  readonly parts: FieldParts
  readonly pickPath: (() => Promise<string | null>) | undefined
}): ReactElement {
  const { bound, parts, pickPath } = props
  const { field, value, error, onChange } = bound
  const { whole, entries } = problemsOf(error)
  const isPath = field.control === 'path'
  return (
    <GroupField {...parts} note={<LabelNotes {...bound} />}>
      <ListEditor
        id={parts.id}
        label={field.label}
        value={listOf(bound)}
        onValueChange={(next) => onChange(next.length === 0 && value === null ? null : next)}
        kind={isPath ? 'path' : 'text'}
        addLabel={isPath ? `Add ${pathKind(field)}` : 'Add value'}
        placeholder={field.placeholder}
        required={field.required}
        hasHint={parts.hint !== undefined}
        problems={entries}
        listProblem={whole}
        pickPath={pickPath}
        noteOf={
          isPath ? (text) => <PathNote path={text} expected={expectedKind(field)} /> : undefined
        }
      />
    </GroupField>
  )
}
