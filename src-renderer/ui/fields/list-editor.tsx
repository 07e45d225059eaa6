import { Plus, X } from 'lucide-react'
import type { ComponentProps, ReactElement, ReactNode } from 'react'
import { useRef, useState } from 'react'

import { Button } from '../controls/button'
import { IconButton } from '../controls/icon-button'
import type { ListEditing } from './list-editing'
import { listEditing } from './list-editing'
import { Movers } from './movers'
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
