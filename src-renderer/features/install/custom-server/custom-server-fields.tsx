import '../editing/install.css'

import { type ClipboardEvent, type KeyboardEvent, type ReactElement, useRef, useState } from 'react'
import { useController, useFieldArray, useWatch } from 'react-hook-form'

import {
  hasSecret,
  openText,
  plainText,
} from '../../../../src-shared/domain/installation/custom-server'
import { flagBefore, type TextContext } from '../../../../src-shared/form/recognize-secrets'
import { terminalOption, withoutTerminal } from '../../../../src-shared/form/terminal-option'
import { Button } from '../../../ui/controls/button'
import { Segmented } from '../../../ui/controls/choice'
import { Field, GroupField, TextInput } from '../../../ui/fields/field'
import { rowKey } from '../../../ui/fields/list-editing'
import { EntryRow, EntryRows } from '../../../ui/fields/list-editor'
import { useAfterRelease } from '../../../ui/focus/use-after-release'
import { Banner } from '../../../ui/layout/page'
import { useFormModel } from '../fields/field-context'
import { AdvancedFields, NameField, TextField } from '../fields/field-groups'
import {
  customServerId,
  type CustomServerRow,
  isBlank,
  ROW_NAMES,
  type RowKind,
} from '../values/custom-server-controls'
import { pastedArguments, pastedPairs, suggestSecret } from './secret-toggle'
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
/** Placeholder for a secret when looking for an option among the arguments; the placeholder is no option. */
const SECRET_PLACEHOLDER = 'x'

/** Fields of a custom server: name and kind, the fields of the kind, then advanced ones. */
export function CustomServerFields(): ReactElement {
  const { control } = useFormModel()
  const { field: kind } = useController({ control, name: 'customServer.kind' })
  const isRemote = kind.value === 'address'
  return (
    <>
      <div className="group flex flex-col gap-5">
        <NameField />
        <GroupField
          id="customServer-kind"
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
            name="customServer.command"
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
  const command = useWatch({ control, name: 'customServer.command' })
  const { field } = useController({ control, name: 'customServer.args' })
  const rows = field.value ?? []
  const option = terminalOption(
    command ?? '',
    rows.map(({ value }) => plainText(value, SECRET_PLACEHOLDER)),
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
  const { field, fieldState } = useController({ control, name: 'customServer.url' })
  const { field: type } = useController({ control, name: 'customServer.type' })
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
          <div data-field-path="url">
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
      <GroupField id="customServer-type" label="Transport">
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

const ROW_TEXTS = {
  args: {
    label: 'Arguments',
    add: 'Add argument',
    hint: 'One argument per line, without quotes. You can paste several lines.',
  },
  env: {
    label: 'Environment',
    add: 'Add variable',
    hint: 'Use the lock to store a value in the keychain. You can paste NAME=value lines.',
  },
  headers: {
    label: 'Headers',
    add: 'Add header',
    hint: 'Sent with every request. Use the lock to store a value in the keychain.',
  },
} as const

/** A list of arguments, variables or headers, whose lines can be locked, moved and pasted. */
function RowList({ place: kind }: { readonly place: RowKind }): ReactElement {
  const editing = useRowEditing(kind)
  const { rowIds, announcement } = editing
  const texts = ROW_TEXTS[kind]
  return (
    <GroupField id={customServerId(kind)} label={texts.label} hint={texts.hint}>
      <EntryRows
        announcement={announcement}
        addLabel={texts.add}
        onAdd={() => editing.insert(rowIds.length)}
      >
        {rowIds.map((rowId, index) => (
          <Row key={rowId} editing={editing} index={index} />
        ))}
      </EntryRows>
    </GroupField>
  )
}

type RowProps = {
  readonly editing: RowEditing
  readonly index: number
}

/** A line bound to its form value, so that typing rerenders only this line. */
type BoundRow = ReturnType<typeof useRow>

function useRow({ editing: { place }, index }: RowProps) {
  const { control } = useFormModel()
  const name = useController({ control, name: `customServer.${place}.${index}.name` })
  const value = useController({ control, name: `customServer.${place}.${index}.value` })
  return {
    name: name.field.value ?? '',
    value: value.field.value ?? [],
    setName: name.field.onChange,
    setValue: value.field.onChange,
    nameFault: name.fieldState.error?.message,
    valueFault: value.fieldState.error?.message,
  }
}

/** Returns what names the value of a line: its own name, or the flag before it. */
function useTextContext(
  { editing: { place }, index }: RowProps,
  { name, value }: CustomServerRow,
): TextContext {
  const { control } = useFormModel()
  const isFirst = place !== 'args' || index === 0
  const before = useWatch({
    control,
    name: `customServer.args.${Math.max(index - 1, 0)}.value`,
    disabled: isFirst,
  })
  if (place !== 'args') return { place: place === 'env' ? 'variable' : 'header', name: name.trim() }
  const words = isFirst ? [] : [plainText(before ?? [], '')]
  return { place: 'argument', name: flagBefore([...words, plainText(value, '')], words.length) }
}

function pasteRows(
  event: ClipboardEvent,
  rows: readonly CustomServerRow[] | null,
  { editing, index }: RowProps,
  row: BoundRow,
): void {
  const [first, ...rest] = rows ?? []
  if (first === undefined) return
  event.preventDefault()
  row.setName(first.name)
  row.setValue(first.value)
  editing.insert(index + 1, rest)
}

function onRowKey(event: KeyboardEvent, { editing, index }: RowProps, row: CustomServerRow): void {
  const action = rowKey(event, isBlank(row))
  if (action === null) return
  event.preventDefault()
  if (action === 'add') editing.insert(index + 1)
  else if (action === 'remove') editing.remove(index)
  else editing.move(index, action)
}

function Row(props: RowProps): ReactElement {
  const { editing, index } = props
  const { place, rowIds } = editing
  const row = useRow(props)
  const { name, value, nameFault, valueFault } = row
  const textContext = useTextContext(props, row)
  const isPair = place !== 'args'
  const rowLabel = `${ROW_NAMES[place]} ${index + 1}`
  const problemId = `${rowElement(place, index)}-problem`
  const fault = nameFault ?? valueFault
  const part = `${place}.${index}.value`
  function paste(event: ClipboardEvent): void {
    if (isPair || hasSecret(value) || plainText(value, '') !== '') return
    pasteRows(event, pastedArguments(event.clipboardData.getData('text')), props, row)
  }
  return (
    <EntryRow
      id={rowElement(place, index)}
      name={rowLabel.toLowerCase()}
      {...{ index, editing }}
      count={rowIds.length}
      isRemovable
      problem={fault}
    >
      <div
        data-field-path={part}
        className={
          isPair
            ? 'pair grid min-w-0 flex-1 items-start gap-2'
            : 'flex min-w-0 flex-1 items-start gap-1'
        }
      >
        {isPair ? <PairName {...props} row={row} problemId={problemId} /> : null}
        <TextEditor
          id={customServerId(part)}
          label={isPair ? `Value of ${name === '' ? rowLabel.toLowerCase() : name}` : rowLabel}
          secretName={name === '' ? rowLabel : name}
          text={value}
          context={textContext}
          onTextChange={row.setValue}
          isBad={valueFault !== undefined}
          describedBy={valueFault === undefined ? undefined : problemId}
          placeholder={isPair ? 'value' : 'Empty argument'}
          onKeyDown={(event) => onRowKey(event, props, row)}
          onPaste={paste}
        />
      </div>
    </EntryRow>
  )
}

function PairName(
  props: RowProps & { readonly row: BoundRow; readonly problemId: string },
): ReactElement {
  const { editing, index, row, problemId } = props
  const { place } = editing
  const { name, value, nameFault } = row
  const nameBefore = useRef(name)
  const suggest = useAfterRelease(() => {
    const suggested = suggestSecret(name.trim(), value, nameBefore.current.trim())
    if (suggested !== value) row.setValue(suggested)
  })
  return (
    <TextInput
      id={rowElement(place, index)}
      mono
      aria-label={`Name of ${ROW_NAMES[place].toLowerCase()} ${index + 1}`}
      aria-invalid={nameFault === undefined ? undefined : true}
      aria-describedby={nameFault === undefined ? undefined : problemId}
      placeholder={place === 'env' ? 'NAME' : 'Name'}
      value={name}
      onValueChange={row.setName}
      onFocus={() => (nameBefore.current = name)}
      onBlur={suggest}
      onKeyDown={(event) => onRowKey(event, props, row)}
      onPaste={(event) =>
        pasteRows(event, pastedPairs(event.clipboardData.getData('text')), props, row)
      }
    />
  )
}

/** State and actions of a list of lines; the focus follows the line. */
type RowEditing = ReturnType<typeof useRowEditing>

/** Returns the element id of a line's first input. */
function rowElement(kind: RowKind, index: number): string {
  return customServerId(`${kind}.${index}.${kind === 'args' ? 'value' : 'name'}`)
}

function useRowEditing(kind: RowKind) {
  const { control } = useFormModel()
  const { fields, insert, remove, move } = useFieldArray({ control, name: `customServer.${kind}` })
  const [announcement, setAnnouncement] = useState('')
  function focusRow(index: number, part = ''): void {
    // The line may not be rendered yet.
    requestAnimationFrame(() =>
      document.getElementById(`${rowElement(kind, index)}${part}`)?.focus(),
    )
  }
  return {
    place: kind,
    rowIds: fields.map(({ id }) => id),
    /** Announcement of the last action for screen readers. */
    announcement,
    /** Inserts a blank line or the given lines before an index. */
    insert: (index: number, rows?: readonly CustomServerRow[]): void => {
      insert(index, rows ? [...rows] : { name: '', value: [] }, { shouldFocus: false })
      if (rows) setAnnouncement(`Pasted ${String(rows.length + 1)} lines.`)
      focusRow(index + (rows ?? ['']).length - 1)
    },
    remove: (index: number): void => {
      remove(index)
      setAnnouncement(`Line ${index + 1} removed.`)
      if (fields.length > 1) focusRow(Math.max(index - 1, 0))
    },
    /** `focus` is the id suffix of the button that keeps the focus. */
    move: (index: number, by: -1 | 1, focus?: '-up' | '-down'): void => {
      const to = index + by
      if (to < 0 || to >= fields.length) return
      move(index, to)
      setAnnouncement(`Moved to position ${to + 1} of ${fields.length}.`)
      focusRow(to, focus)
    },
  }
}
