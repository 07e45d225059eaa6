import { type ReactElement, useMemo } from 'react'
import { useController } from 'react-hook-form'
import { useStore } from 'zustand'

import type { FormField } from '../../../../src-shared/form/form-field'
import { SearchField } from '../../../ui/controls/search-field'
import { Field } from '../../../ui/fields/field'
import { TextInput } from '../../../ui/fields/text-input'
import { type GroupedFields, matchesSearch, SEARCHED_FROM } from '../values/field-places'
import { AdvancedFields } from './advanced-fields'
import { useFormModel } from './field-context'
import { FieldControl } from './field-control'

/** The keys that a search leaves; null while there is none. */
type Found = ReadonlySet<string> | null

function FieldGroup(props: {
  readonly id: string
  readonly title: string
  readonly fields: readonly FormField[]
  readonly found: Found
}): ReactElement | null {
  const { id, title, fields, found } = props
  if (fields.length === 0) return null
  const isHidden = ({ key }: FormField): boolean => found !== null && !found.has(key)
  return (
    <div
      className="group col gap-5"
      role="group"
      aria-labelledby={id}
      hidden={fields.every(isHidden)}
    >
      <h3 id={id} className="small medium faint">
        {title}
      </h3>
      {fields.map((field) => (
        <FieldControl key={field.key} field={field} isHidden={isHidden(field)} />
      ))}
    </div>
  )
}

/** The name that the server has in Patchbay. */
export function NameField(): ReactElement {
  const { field, fieldState } = useController({ control: useFormModel().control, name: 'name' })
  return (
    <Field id="server-name" label="Server name" problem={fieldState.error?.message}>
      {(ids) => (
        <TextInput
          {...ids}
          aria-required
          maxLength={120}
          value={field.value}
          onValueChange={field.onChange}
        />
      )}
    </Field>
  )
}

function useFound(fields: readonly FormField[]): Found {
  const { view } = useFormModel()
  const query = useStore(view, (state) => state.query.trim())
  return useMemo(() => {
    if (query === '') return null
    const matching = fields.filter((field) => matchesSearch(field, query))
    return new Set(matching.map(({ key }) => key))
  }, [query, fields])
}

function FieldSearch({
  found,
  count,
}: {
  readonly found: Found
  readonly count: number
}): ReactElement {
  const { view } = useFormModel()
  const query = useStore(view, (state) => state.query)
  const meta = found === null ? undefined : `${found.size} of ${count}`
  return (
    <div className="form-search sticks surface">
      <SearchField
        label="Search fields"
        placeholder={`Search ${count} fields`}
        value={query}
        onChange={(next) => view.setState({ query: next })}
        meta={meta}
      />
      <p className="sr" role="status">
        {meta === undefined ? '' : `${meta} fields found.`}
      </p>
    </div>
  )
}

/** Name, required fields, options and what is advanced, in this order; with a search where there are many. */
export function FieldGroups({
  groups,
  isRemote,
}: {
  readonly groups: GroupedFields
  readonly isRemote: boolean
}): ReactElement {
  const { fields } = useFormModel()
  const found = useFound(fields)
  return (
    <>
      {fields.length < SEARCHED_FROM ? null : <FieldSearch found={found} count={fields.length} />}
      <div className="group col gap-5" hidden={found !== null}>
        <NameField />
      </div>
      <FieldGroup id="group-required" title="Required" fields={groups.required} found={found} />
      <FieldGroup id="group-options" title="Options" fields={groups.options} found={found} />
      {fields.length === 0 ? (
        <p className="soft">
          This server has no settings. Review the {isRemote ? 'address' : 'command'}, then approve
          it.
        </p>
      ) : null}
      {found?.size === 0 ? <p className="soft">No matching fields.</p> : null}
      <AdvancedFields fields={groups.advanced} found={found} isRemote={isRemote} />
    </>
  )
}
