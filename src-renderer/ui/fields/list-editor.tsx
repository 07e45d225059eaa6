import { ChevronDown, ChevronUp, Plus, X } from 'lucide-react'
import { type ComponentProps, type ReactElement, type ReactNode, useRef, useState } from 'react'

import { Button, IconButton } from '../controls/button'
import { type ControlIds, PathInput, ProblemText, TextInput } from './field'
import { type ListEditing, listEditing } from './list-editing'
import { SecretInput } from './secret-input'

type ListEditorProps = {
  /** Entry inputs have the ids `ID-0`, `ID-1` and so on. */
  readonly id: string
  readonly label: string
  /** At least one entry is always shown. */
  readonly value: readonly string[]
  readonly onValueChange: (value: string[]) => void
  /** A secret stays exactly as entered, without splitting. */
  readonly kind: 'text' | 'path' | 'secret'
  readonly addLabel: string
  readonly placeholder?: string | undefined
  /** Choices for a secret; nothing can be typed then. */
  readonly choices?: readonly string[] | undefined
  readonly required: boolean
  readonly hasHint: boolean
  readonly problems: readonly (string | undefined)[]
  readonly listProblem?: string | undefined
  /** Opens the system's dialog and resolves to the path or null. */
  readonly pickPath?: (() => Promise<string | null>) | undefined
  /** Returns the note under an entry, by its text. */
  readonly noteOf?: ((text: string) => ReactNode) | undefined
}

/** One input per entry. Enter adds one, Backspace removes an empty one, typed or pasted lists are split, Alt+arrows move. */
export function ListEditor(props: ListEditorProps): ReactElement {
  const { id, value, onValueChange, listProblem } = props
  const entries = value.length > 0 ? value : ['']
  const [announcement, setAnnouncement] = useState('')
  const editing = listEditing(id, entries, onValueChange, setAnnouncement)
  return (
    <EntryRows
      announcement={announcement}
      addLabel={props.addLabel}
      onAdd={() => editing.add(entries.length - 1)}
    >
      {entries.map((text, index) => (
        <Entry
          key={index}
          list={props}
          editing={editing}
          entries={entries}
          index={index}
          text={text}
        />
      ))}
      {listProblem === undefined ? null : (
        <ProblemText id={`${id}-problem`}>{listProblem}</ProblemText>
      )}
    </EntryRows>
  )
}

/** The rows of a list, and the button that adds one. */
export function EntryRows(props: {
  /** Announcement for screen readers. */
  readonly announcement: string
  readonly addLabel: string
  readonly onAdd: () => void
  readonly children: readonly ReactNode[]
}): ReactElement {
  return (
    <>
      <p className="sr-only" role="status">
        {props.announcement}
      </p>
      <div className="flex flex-col gap-2">{props.children}</div>
      <div>
        <Button size="small" icon={Plus} onClick={props.onAdd}>
          {props.addLabel}
        </Button>
      </div>
    </>
  )
}

type EntryRowProps = {
  /** Id of the first input; the id of the problem ends in `-problem`. */
  readonly id: string
  /** Such as "entry" in "Move entry 2 up". */
  readonly name: string
  readonly index: number
  readonly count: number
  readonly isRemovable: boolean
  readonly editing: Pick<ListEditing, 'move' | 'remove'>
  readonly problem: string | undefined
  readonly children: ReactNode
}

/** One row: move buttons, inputs, a remove button, and its problem below. */
export function EntryRow(props: EntryRowProps): ReactElement {
  const { id, name, index, count, editing, problem } = props
  return (
    <>
      <div className="entry relative flex items-start gap-1">
        {count > 1 && (
          <Movers
            {...{ id, name, index, count }}
            onMove={(by, end) => editing.move(index, by, end)}
          />
        )}
        {props.children}
        {props.isRemovable && (
          <IconButton
            label={`Remove ${name}`}
            icon={X}
            className="btn-field"
            onClick={() => editing.remove(index)}
          />
        )}
      </div>
      {problem === undefined ? null : <ProblemText id={`${id}-problem`}>{problem}</ProblemText>}
    </>
  )
}

/** Handlers of a list's input; an existing entry keeps its commas, also if the focus only passes. */
function useTyping(
  editing: ListEditing,
  index: number,
): Pick<ComponentProps<typeof TextInput>, 'onValueChange' | 'onKeyDown' | 'onBlur' | 'onPaste'> {
  const isTyped = useRef(false)
  return {
    onValueChange: (next) => {
      isTyped.current = true
      editing.change(index, next)
    },
    onKeyDown: (event) => editing.onKeyDown(event, index, isTyped.current),
    onBlur: () => {
      if (isTyped.current) editing.leave(index)
      isTyped.current = false
    },
    onPaste: (event) => editing.onPaste(event, index),
  }
}

type EntryProps = {
  readonly list: ListEditorProps
  readonly editing: ListEditing
  readonly entries: readonly string[]
  readonly index: number
  readonly text: string
}

function describedBy(list: ListEditorProps, index: number): string | undefined {
  const ids = [
    list.hasHint ? `${list.id}-hint` : '',
    index === 0 && list.listProblem !== undefined ? `${list.id}-problem` : '',
    list.problems[index] === undefined ? '' : `${list.id}-${index}-problem`,
  ].filter(Boolean)
  return ids.length > 0 ? ids.join(' ') : undefined
}

function Entry(props: EntryProps): ReactElement {
  const { list, editing, entries, index, text } = props
  const problem = list.problems[index]
  const isFaulty = problem !== undefined || (index === 0 && list.listProblem !== undefined)
  const name = `${list.label} ${index + 1}`
  const typing = useTyping(editing, index)
  const ids = {
    id: `${list.id}-${index}`,
    'aria-describedby': describedBy(list, index),
    'aria-invalid': isFaulty || undefined,
  }
  const shared = {
    ...ids,
    'aria-label': name,
    'aria-required': list.required || undefined,
    'data-entry': index,
    placeholder: list.placeholder,
    value: text,
    ...typing,
  }
  return (
    <>
      <EntryRow
        id={ids.id}
        name={`entry ${index + 1}`}
        {...{ index, editing, problem }}
        count={entries.length}
        isRemovable={entries.length > 1 || text !== ''}
      >
        {list.kind === 'path' && (
          <PathInput
            {...shared}
            browseLabel={`Browse for entry ${index + 1}`}
            pick={list.pickPath}
            onPick={(path) => editing.change(index, path)}
          />
        )}
        {list.kind === 'text' && <TextInput {...shared} mono />}
        {list.kind === 'secret' && <SecretEntry {...props} name={name} ids={ids} />}
      </EntryRow>
      {list.noteOf?.(text)}
    </>
  )
}

function SecretEntry(
  props: EntryProps & { readonly name: string; readonly ids: ControlIds },
): ReactElement {
  const { list, editing, index, text, name, ids } = props
  return (
    <div className="min-w-0 flex-1">
      <label className="sr-only" id={`${ids.id}-label`} htmlFor={ids.id}>
        {name}
      </label>
      <SecretInput
        ids={ids}
        value={text}
        onValueChange={(next) => editing.change(index, next ?? '')}
        placeholder={list.placeholder}
        required={list.required}
        choices={list.choices}
      />
    </div>
  )
}

/** The two buttons that move a row; their ids end in `-up` and `-down`. */
function Movers(
  props: Pick<EntryRowProps, 'id' | 'name' | 'index' | 'count'> & {
    readonly onMove: (by: -1 | 1, end: '-up' | '-down') => void
  },
): ReactElement {
  const { id, name, index, count, onMove } = props
  const steps = [
    { by: -1, icon: ChevronUp, word: 'up', end: '-up', key: 'ArrowUp', last: 0 },
    { by: 1, icon: ChevronDown, word: 'down', end: '-down', key: 'ArrowDown', last: count - 1 },
  ] as const
  return (
    <div className="movers absolute -left-6 flex flex-col">
      {steps.map(({ by, icon: Icon, word, end, key, last }) => (
        <button
          key={word}
          type="button"
          className="mover bare grid h-4 w-6 place-items-center rounded-sm text-faint hover:bg-hover"
          id={`${id}${end}`}
          aria-label={`Move ${name} ${word}`}
          aria-keyshortcuts={`Alt+${key}`}
          aria-disabled={index === last}
          onClick={() => onMove(by, end)}
        >
          <Icon className="icon icon-s" aria-hidden />
        </button>
      ))}
    </div>
  )
}
