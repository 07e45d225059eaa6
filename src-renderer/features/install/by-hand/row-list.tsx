import { ChevronDown, ChevronUp, Plus, X } from 'lucide-react'
import type { ClipboardEvent, ReactElement } from 'react'
import { useState } from 'react'

import { Button } from '../../../ui/controls/button'
import { IconButton } from '../../../ui/controls/icon-button'
import { GroupField } from '../../../ui/fields/field'
import { ProblemText } from '../../../ui/fields/problem-text'
import { TextInput } from '../../../ui/fields/text-input'
import type { HandRow, RowPlace } from './hand-form'
import type { RowEditing } from './row-editing'
import { pastedArguments, pastedPairs, rowEditing, rowElement } from './row-editing'
import { suggestSecret } from './secret-toggle'
import { TextEditor } from './text-editor'

/** The words of each list. */
const WORDS = {
  args: {
    label: 'Arguments',
    one: 'Argument',
    add: 'Add argument',
    hint: 'One in each line, exactly as the program is to get it: no quotes are needed. Pasted lines become arguments.',
    nameHint: '',
    valueHint: '',
  },
  env: {
    label: 'Environment',
    one: 'Variable',
    add: 'Add variable',
    hint: 'The lock keeps a value in the keychain. Lines such as NAME=value can be pasted.',
    nameHint: 'NAME',
    valueHint: 'value',
  },
  headers: {
    label: 'Headers',
    one: 'Header',
    add: 'Add header',
    hint: 'Sent with every request. The lock keeps a value in the keychain.',
    nameHint: 'Name',
    valueHint: 'value',
  },
} as const

type RowListProps = {
  readonly place: RowPlace
  readonly rows: readonly HandRow[]
  readonly onRowsChange: (rows: readonly HandRow[]) => void
  /** Problems by line: of its name, and of its value. */
  readonly problemOf: (rowId: string, part: 'name' | 'value') => string | undefined
  /** Where a line stands in the preview. */
  readonly spotOf: (rowId: string) => string | undefined
  readonly savedText: string
}

/** A list of lines with lock, order and paste: arguments, variables or headers. */
export function RowList(props: RowListProps): ReactElement {
  const { place, rows, onRowsChange } = props
  const [said, setSaid] = useState('')
  const editing = rowEditing(rows, onRowsChange, setSaid)
  const words = WORDS[place]
  return (
    <GroupField id={`hand-${place}`} label={words.label} hint={words.hint}>
      <p className="sr" role="status">
        {said}
      </p>
      {rows.length === 0 ? null : (
        <div className="entries">
          {rows.map((row, index) => (
            <Row key={row.rowId} list={props} editing={editing} row={row} index={index} />
          ))}
        </div>
      )}
      <div>
        <Button size="small" icon={Plus} onClick={() => editing.add()}>
          {words.add}
        </Button>
      </div>
    </GroupField>
  )
}

type RowProps = {
  readonly list: RowListProps
  readonly editing: RowEditing
  readonly row: HandRow
  readonly index: number
}

function Row(props: RowProps): ReactElement {
  const { list, editing, row, index } = props
  const { place, rows, problemOf, savedText } = list
  const isPair = place !== 'args'
  const name = `${WORDS[place].one} ${index + 1}`
  const [nameFault, valueFault] = [problemOf(row.rowId, 'name'), problemOf(row.rowId, 'value')]
  const id = rowElement(row.rowId)
  const problemId = `${id}-problem`
  const fault = nameFault ?? valueFault
  function paste(event: ClipboardEvent): void {
    if (row.value.kind === 'secret' || row.value.text !== '') return
    const lines = pastedArguments(event.clipboardData.getData('text'))
    if (lines === null || isPair) return
    event.preventDefault()
    editing.replace(row.rowId, lines)
  }
  return (
    <>
      <div className="entry" data-spot={list.spotOf(row.rowId)}>
        {rows.length > 1 ? <Movers {...props} name={name} /> : null}
        <div className={isPair ? 'hand-pair' : 'hand-line'}>
          {isPair ? (
            <PairName {...props} label={`Name of ${name.toLowerCase()}`} problem={nameFault} />
          ) : null}
          <TextEditor
            id={isPair ? `${id}-value` : id}
            label={isPair ? `Value of ${row.name === '' ? name.toLowerCase() : row.name}` : name}
            secretName={row.name === '' ? name : row.name}
            text={row.value}
            onTextChange={(value) => editing.change(row.rowId, { value })}
            isBad={valueFault !== undefined}
            describedBy={valueFault === undefined ? undefined : problemId}
            savedText={savedText}
            placeholder={isPair ? WORDS[place].valueHint : 'Empty argument'}
            onKeyDown={(event) => editing.onKeyDown(event, row)}
            onPaste={paste}
          />
        </div>
        <IconButton
          label={`Remove ${name.toLowerCase()}`}
          icon={X}
          onClick={() => editing.remove(row.rowId)}
        />
      </div>
      {fault === undefined ? null : <ProblemText id={problemId}>{fault}</ProblemText>}
    </>
  )
}

function PairName(
  props: RowProps & { readonly label: string; readonly problem: string | undefined },
): ReactElement {
  const { list, editing, row, label, problem } = props
  const id = rowElement(row.rowId)
  function paste(event: ClipboardEvent): void {
    const pairs = pastedPairs(event.clipboardData.getData('text'))
    if (pairs === null) return
    event.preventDefault()
    editing.replace(row.rowId, pairs)
  }
  return (
    <TextInput
      id={id}
      mono
      aria-label={label}
      aria-invalid={problem === undefined ? undefined : true}
      aria-describedby={problem === undefined ? undefined : `${id}-problem`}
      placeholder={WORDS[list.place].nameHint}
      value={row.name}
      onValueChange={(name) => editing.change(row.rowId, { name })}
      onBlur={() => editing.change(row.rowId, { value: suggestSecret(row.name.trim(), row.value) })}
      onKeyDown={(event) => editing.onKeyDown(event, row)}
      onPaste={paste}
    />
  )
}

function Movers(props: RowProps & { readonly name: string }): ReactElement {
  const { list, editing, row, index, name } = props
  const id = rowElement(row.rowId)
  const steps = [
    { by: -1, icon: ChevronUp, word: 'up', end: '-up', isLast: index === 0 },
    {
      by: 1,
      icon: ChevronDown,
      word: 'down',
      end: '-down',
      isLast: index === list.rows.length - 1,
    },
  ] as const
  return (
    <div className="movers">
      {steps.map(({ by, icon: Icon, word, end, isLast }) => (
        <button
          key={word}
          type="button"
          className="mover"
          id={`${id}${end}`}
          aria-label={`Move ${name.toLowerCase()} ${word}`}
          aria-keyshortcuts={by === -1 ? 'Alt+ArrowUp' : 'Alt+ArrowDown'}
          aria-disabled={isLast}
          onClick={() => editing.move(row.rowId, by, end)}
        >
          <Icon className="icon icon-s" aria-hidden />
        </button>
      ))}
    </div>
  )
}
