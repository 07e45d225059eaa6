import '../editing/install.css'

import type { ReactElement } from 'react'
import { useController, useWatch } from 'react-hook-form'

import { openText, plainText } from '../../../../src-shared/domain/installation/custom-server'
import { terminalOption, withoutTerminal } from '../../../../src-shared/form/terminal-option'
import { Button } from '../../../ui/controls/button'
import { Segmented } from '../../../ui/controls/segmented'
import { Field, GroupField, TextInput } from '../../../ui/fields/field'
import { Banner } from '../../../ui/layout/banner'
import { useFormModel } from '../fields/field-context'
import { AdvancedFields, NameField, TextField } from '../fields/field-groups'
import { customServerId } from '../values/hand-places'
import { RowList } from './row-list'
import { TextEditor } from './text-editor'

const KINDS = [
  { value: 'command', label: 'Command' },
  { value: 'address', label: 'Address' },
] as const
const TYPES = [
  { value: 'streamable-http', label: 'Streamable HTTP' },
  { value: 'sse', label: 'SSE' },
] as const
const NO_FIELDS = [] as const
/** Stands for a secret, which is no option. */
const SECRET_STAND = 'x'

/** Of a server made manually: name and kind, what the kind needs, then what few people change. */
export function CustomServerFields(): ReactElement {
  const { control } = useFormModel()
  const { field: kind } = useController({ control, name: 'hand.kind' })
  const isRemote = kind.value === 'address'
  return (
    <>
      <div className="group flex flex-col gap-5">
        <NameField />
        <GroupField
          id="hand-kind"
          label="Connect through"
          hint={
            isRemote
              ? 'A server that already runs and answers over HTTP.'
              : 'A program that Patchbay runs on this computer.'
          }
        >
          <div>
            <Segmented
              label="Connect through"
              value={kind.value ?? 'command'}
              onValueChange={kind.onChange}
              options={KINDS}
            />
          </div>
        </GroupField>
      </div>
      {isRemote ? (
        <AddressFields />
      ) : (
        <div className="group flex flex-col gap-5">
          <TextField
            id={customServerId('command')}
            label="Command"
            hint="A program on your PATH, such as npx, or its full path. Enter arguments below."
            name="hand.command"
          >
            {(bound) => <TextInput {...bound} mono aria-required placeholder="npx" />}
          </TextField>
          <RowList place="args" />
          <TerminalNote />
          <RowList place="env" />
        </div>
      )}
      <AdvancedFields fields={NO_FIELDS} found={null} isRemote={isRemote} />
    </>
  )
}

function TerminalNote(): ReactElement | null {
  const { control } = useFormModel()
  const command = useWatch({ control, name: 'hand.command' })
  const { field } = useController({ control, name: 'hand.args' })
  const rows = field.value ?? []
  const option = terminalOption(
    command ?? '',
    rows.map(({ value }) => plainText(value, SECRET_STAND)),
  )
  if (option === undefined) return null
  return (
    <Banner
      severity="warn"
      action={
        <Button
          size="small"
          onClick={() =>
            field.onChange(
              withoutTerminal(rows, option, (text) => ({ name: '', value: openText(text) })),
            )
          }
        >
          {option.button}
        </Button>
      }
    >
      {option.message}
    </Banner>
  )
}

function AddressFields(): ReactElement {
  const { control } = useFormModel()
  const { field, fieldState } = useController({ control, name: 'hand.url' })
  const { field: type } = useController({ control, name: 'hand.type' })
  const name = useWatch({ control, name: 'name' })
  return (
    <div className="group flex flex-col gap-5">
      <Field
        id={customServerId('url')}
        label="Address"
        problem={fieldState.error?.message}
        hint="Use the lock to store a key in the address in the keychain."
      >
        {(ids) => (
          <div data-spot="url">
            <TextEditor
              id={ids.id}
              label="Address"
              secretName={name === '' ? 'Address' : name}
              place="url"
              context={{ place: 'address', name: undefined }}
              text={field.value ?? []}
              onTextChange={field.onChange}
              isBad={ids['aria-invalid'] === true}
              describedBy={ids['aria-describedby']}
              placeholder="https://example.com/mcp"
            />
          </div>
        )}
      </Field>
      <GroupField id="hand-type" label="Transport">
        <div>
          <Segmented
            label="Transport"
            value={type.value ?? 'streamable-http'}
            onValueChange={type.onChange}
            options={TYPES}
          />
        </div>
      </GroupField>
      <RowList place="headers" />
    </div>
  )
}
