import type { ReactElement } from 'react'

import { Segmented } from '../../../ui/controls/segmented'
import { Field, GroupField } from '../../../ui/fields/field'
import { TextInput } from '../../../ui/fields/text-input'
import { HandAdvanced } from './hand-advanced'
import type { HandForm, RowPlace } from './hand-form'
import { elementOf } from './hand-problems'
import { RowList } from './row-list'
import { TextEditor } from './text-editor'

export type HandFieldsProps = {
  readonly form: HandForm
  readonly onFormChange: (change: Partial<HandForm>) => void
  /** The problem that is shown at a spot. */
  readonly problemAt: (spot: string) => string | undefined
  readonly problemOfRow: (
    place: RowPlace,
    rowId: string,
    part: 'name' | 'value',
  ) => string | undefined
  readonly spotOfRow: (place: RowPlace, rowId: string) => string | undefined
  readonly savedText: string
}

const KINDS = [
  { value: 'command', label: 'Command' },
  { value: 'address', label: 'Address' },
] as const
const TYPES = [
  { value: 'streamable-http', label: 'Streamable HTTP' },
  { value: 'sse', label: 'SSE' },
] as const

/** Name and kind, what the kind needs, then what few people change. */
export function HandFields(props: HandFieldsProps): ReactElement {
  const { form, onFormChange, problemAt } = props
  return (
    <>
      <div className="group">
        <Field id={elementOf('name')} label="Server name" problem={problemAt('name')}>
          {(ids) => (
            <TextInput
              {...ids}
              aria-required
              maxLength={120}
              value={form.name}
              onValueChange={(name) => onFormChange({ name })}
            />
          )}
        </Field>
        <GroupField
          id="hand-kind"
          label="Reached by"
          hint={
            form.kind === 'command'
              ? 'A program that Patchbay runs on this computer.'
              : 'A server that runs already, here or elsewhere, and answers over HTTP.'
          }
        >
          <div>
            <Segmented
              label="Reached by"
              value={form.kind}
              onValueChange={(kind) => onFormChange({ kind })}
              options={KINDS}
            />
          </div>
        </GroupField>
      </div>
      {form.kind === 'command' ? <CommandFields {...props} /> : <AddressFields {...props} />}
      <HandAdvanced form={form} onFormChange={onFormChange} problemAt={problemAt} />
    </>
  )
}

function Rows(props: HandFieldsProps & { readonly place: RowPlace }): ReactElement {
  const { form, onFormChange, problemOfRow, spotOfRow, savedText, place } = props
  return (
    <RowList
      place={place}
      rows={form[place]}
      onRowsChange={(rows) => onFormChange({ [place]: rows })}
      problemOf={(rowId, part) => problemOfRow(place, rowId, part)}
      spotOf={(rowId) => spotOfRow(place, rowId)}
      savedText={savedText}
    />
  )
}

function CommandFields(props: HandFieldsProps): ReactElement {
  const { form, onFormChange, problemAt } = props
  return (
    <>
      <div className="group">
        <Field
          id={elementOf('command')}
          label="Command"
          problem={problemAt('command')}
          hint="The name of a program on your PATH, such as npx, or its full path. Arguments stand below."
        >
          {(ids) => (
            <TextInput
              {...ids}
              mono
              aria-required
              placeholder="npx"
              value={form.command}
              onValueChange={(command) => onFormChange({ command })}
            />
          )}
        </Field>
        <Rows {...props} place="args" />
        <Rows {...props} place="env" />
      </div>
    </>
  )
}

function AddressFields(props: HandFieldsProps): ReactElement {
  const { form, onFormChange, problemAt, savedText } = props
  return (
    <div className="group">
      <Field
        id={elementOf('url')}
        label="Address"
        problem={problemAt('url')}
        hint="With the lock, a key in the address stays in the keychain."
      >
        {(ids) => (
          <div data-spot="url">
            <TextEditor
              id={ids.id}
              label="Address"
              secretName={form.name === '' ? 'Address' : form.name}
              place="url"
              text={form.url}
              onTextChange={(url) => onFormChange({ url })}
              isBad={ids['aria-invalid'] === true}
              describedBy={ids['aria-describedby']}
              savedText={savedText}
              placeholder="https://example.com/mcp"
            />
          </div>
        )}
      </Field>
      <GroupField id="hand-type" label="Transport">
        <div>
          <Segmented
            label="Transport"
            value={form.type}
            onValueChange={(type) => onFormChange({ type })}
            options={TYPES}
          />
        </div>
      </GroupField>
      <Rows {...props} place="headers" />
    </div>
  )
}
