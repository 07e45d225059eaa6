import { ChevronDown, ChevronUp, Plus, X } from 'lucide-react'
import {
  type ClipboardEvent,
  type ComponentProps,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  useRef,
  useState,
} from 'react'

import { isJson, splitSeveral } from '../../../src-shared/form/split-several'
import { Button } from '../controls/button'
import { IconButton } from '../controls/icon-button'
import { PathInput } from './path-input'
import { ProblemText } from './problem-text'
import { TextInput } from './text-input'

type ListEditorProps = {
  /** Entry inputs are called `ID-0`, `ID-1` and so on. */
  readonly id: string
  readonly label: string
  /** At least one entry is always shown. */
  readonly value: readonly string[]
  readonly onValueChange: (value: string[]) => void
  readonly kind: 'text' | 'path'
  readonly addLabel: string
  readonly placeholder?: string | undefined
  readonly required: boolean
  readonly hasHint: boolean
  /** Problems by entry. */
  readonly problems: readonly (string | undefined)[]
  /** Problem of the list as a whole. */
  readonly listProblem?: string | undefined
  /** Opens the system's dialog and resolves with the path, or null. */
  readonly pickPath?: (() => Promise<string | null>) | undefined
  /** What stands under an entry, by its text. */
  readonly noteOf?: ((text: string) => ReactNode) | undefined
}

/** One input per entry; Enter adds, Backspace on an empty one removes, a list that is typed or pasted splits, Alt+arrows move. */
export function ListEditor(props: ListEditorProps): ReactElement {
  const { id, value, onValueChange, listProblem } = props
  const entries = value.length > 0 ? value : ['']
  const [said, setSaid] = useState('')
  const editing = listEditing(id, entries, onValueChange, setSaid)
  return (
    <>
      <p className="sr" role="status">
        {said}
      </p>
      <div className="col gap-2">
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
      </div>
      <div>
        <Button size="small" icon={Plus} onClick={() => editing.add(entries.length - 1)}>
          {props.addLabel}
        </Button>
      </div>
    </>
  )
}

/** What an input of the list does; what was there before keeps its commas, also where the focus only passes by. */
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
  const shared = {
    id: `${list.id}-${index}`,
    'aria-label': name,
    'aria-describedby': describedBy(list, index),
    'aria-invalid': isFaulty || undefined,
    'aria-required': list.required || undefined,
    'data-entry': index,
    placeholder: list.placeholder,
    value: text,
    ...typing,
  }
  async function browse(): Promise<void> {
    const path = await list.pickPath?.()
    if (typeof path === 'string') editing.change(index, path)
  }
  return (
    <>
      <div className="entry row gap-1 anchor">
        {entries.length > 1 && (
          <Movers
            id={shared.id}
            name={`entry ${index + 1}`}
            index={index}
            count={entries.length}
            onMove={(by, end) => editing.move(index, by, end)}
          />
        )}
        {list.kind === 'path' ? (
          <PathInput
            {...shared}
            browseLabel={`Browse for entry ${index + 1}`}
            onBrowse={list.pickPath ? () => void browse() : undefined}
          />
        ) : (
          <TextInput {...shared} mono />
        )}
        {(entries.length > 1 || text !== '') && (
          <IconButton
            label={`Remove entry ${index + 1}`}
            icon={X}
            onClick={() => editing.remove(index)}
          />
        )}
      </div>
      {problem === undefined ? null : (
        <ProblemText id={`${list.id}-${index}-problem`}>{problem}</ProblemText>
      )}
      {list.noteOf?.(text)}
    </>
  )
}

/** The list with the entry at `from` moved to `to`; unchanged when `to` is outside. */
export function moveEntry(list: readonly string[], from: number, to: number): string[] {
  const next = [...list]
  if (to < 0 || to >= next.length) return next
  const [moved] = next.splice(from, 1)
  if (moved !== undefined) next.splice(to, 0, moved)
  return next
}

/** The list after a paste into the entry at `index`: what stands there stays, the pasted entries follow. */
export function pasteEntries(
  list: readonly string[],
  index: number,
  text: string,
): { readonly entries: string[]; readonly last: number } {
  const before = list[index] ?? ''
  const kept = before === '' ? [] : [before]
  const pasted = splitPasted(text)
  return {
    entries: list.toSpliced(index, 1, ...kept, ...pasted),
    last: index + Math.max(0, kept.length + pasted.length - 1),
  }
}

/**
 * The list with comma-separated text at `index` as an entry for each of its values, of which `last` is the last; undefined
 * where that stands there already.
 */
function splitEntry(
  list: readonly string[],
  index: number,
): { readonly entries: string[]; readonly last: number } | undefined {
  const text = list[index] ?? ''
  const parts = splitSeveral(text)
  if (!text.includes(',') || (parts.length === 1 && parts[0] === text)) return undefined
  const shown = parts.length === 0 ? [''] : parts
  return { entries: list.toSpliced(index, 1, ...shown), last: index + shown.length - 1 }
}

/** What can be done to a list of inputs manually and by key; the focus follows the entry. */
type ListEditing = {
  readonly change: (index: number, text: string) => void
  readonly add: (after: number) => void
  /** An entry that was typed is left: comma-separated text becomes an entry for each value. */
  readonly leave: (index: number) => void
  readonly remove: (index: number) => void
  /** `focus` is the end of the id of the button that keeps the focus; the input gets it otherwise. */
  readonly move: (from: number, by: number, focus?: '-up' | '-down') => void
  /** `isTyped`: the entry was typed since it has the focus. */
  readonly onKeyDown: (event: KeyboardEvent, index: number, isTyped: boolean) => void
  readonly onPaste: (event: ClipboardEvent, index: number) => void
}

/**
 * Edits `entries` (never empty); its inputs are called `ID-0`, `ID-1` and so on. `say` tells who does not see it
 * what happened.
 */
export function listEditing(
  id: string,
  entries: readonly string[],
  onValueChange: (value: string[]) => void,
  say: (sentence: string) => void,
): ListEditing {
  function update(next: string[], focused?: number, part = ''): void {
    onValueChange(next)
    if (focused === undefined) return
    // The entry may not be drawn yet.
    requestAnimationFrame(() => {
      document.getElementById(`${id}-${focused}${part}`)?.focus()
    })
  }
  const add = (after: number): void => update(entries.toSpliced(after + 1, 0, ''), after + 1)
  function leave(index: number, isRowAdded = false): void {
    const split = splitEntry(entries, index)
    if (!split) return
    if (isRowAdded) update(split.entries.toSpliced(split.last + 1, 0, ''), split.last + 1)
    else update(split.entries)
    say(`Split at commas. The list has ${split.entries.length + Number(isRowAdded)} entries.`)
  }
  function remove(index: number): void {
    update(entries.toSpliced(index, 1), Math.max(0, index - 1))
    say(`Entry ${index + 1} removed.`)
  }
  function move(from: number, by: number, focus?: '-up' | '-down'): void {
    const to = from + by
    if (to < 0 || to >= entries.length) return
    update(moveEntry(entries, from, to), to, focus)
    say(`Moved to position ${to + 1} of ${entries.length}.`)
  }
  function onKeyDown(event: KeyboardEvent, index: number, isTyped: boolean): void {
    const action = rowKey(event, entries[index] === '' && entries.length > 1)
    if (action === null) return
    event.preventDefault()
    if (action === 'add' && isTyped && splitEntry(entries, index)) leave(index, true)
    else if (action === 'add') add(index)
    else if (action === 'remove') remove(index)
    else move(index, action)
  }
  function onPaste(event: ClipboardEvent, index: number): void {
    const text = event.clipboardData.getData('text')
    if (!/[,\r\n]/.test(text) || isJson(text)) return
    event.preventDefault()
    const pasted = pasteEntries(entries, index, text)
    update(pasted.entries, pasted.last)
    say(`Pasted. The list has ${pasted.entries.length} entries.`)
  }
  return {
    change: (index, text) => update(entries.with(index, text)),
    add,
    leave: (index) => leave(index),
    remove,
    move,
    onKeyDown,
    onPaste,
  }
}

/** The entries of a pasted list, split at commas and line ends, trimmed, empty ones left out; JSON is one entry. */
export function splitPasted(text: string): string[] {
  return isJson(text) ? [text] : text.split(/[\r\n]+/).flatMap(splitSeveral)
}

/** What a key pressed in a row of a list does to it: a row below it, its removal where it is blank, a move by one; null for what is typed. */
export function rowKey(event: KeyboardEvent, isBlank: boolean): 'add' | 'remove' | -1 | 1 | null {
  const isChord = event.ctrlKey || event.metaKey || event.nativeEvent.isComposing
  if (event.key === 'Enter' && !event.shiftKey && !isChord) return 'add'
  if (event.key === 'Backspace' && isBlank) return 'remove'
  if (event.altKey && event.key === 'ArrowUp') return -1
  if (event.altKey && event.key === 'ArrowDown') return 1
  return null
}

/** The two buttons that move a row of a list; their ids end in `-up` and `-down`. */
export function Movers(props: {
  /** Of what is typed into first in the row. */
  readonly id: string
  /** Of the row, as in "Move entry 2 up". */
  readonly name: string
  readonly index: number
  /** Rows of the list. */
  readonly count: number
  readonly onMove: (by: -1 | 1, end: '-up' | '-down') => void
}): ReactElement {
  const { id, name, index, count, onMove } = props
  const steps = [
    { by: -1, icon: ChevronUp, word: 'up', end: '-up', key: 'ArrowUp', last: 0 },
    { by: 1, icon: ChevronDown, word: 'down', end: '-down', key: 'ArrowDown', last: count - 1 },
  ] as const
  return (
    <div className="movers col">
      {steps.map(({ by, icon: Icon, word, end, key, last }) => (
        <button
          key={word}
          type="button"
          className="mover bare lights centered faint"
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
