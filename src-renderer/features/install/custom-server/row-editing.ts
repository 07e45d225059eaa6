import { useState } from 'react'
import { useFieldArray } from 'react-hook-form'

import { openText } from '../../../../src-shared/domain/installation/custom-server'
import { flagBefore, secretText } from '../../../../src-shared/form/recognize-secrets'
import type { InstallControl } from '../fields/field-context'
import type { CustomServerRow, RowPlace } from '../values/hand-parts'
import { customServerId } from '../values/hand-places'
import { suggestSecret } from './secret-toggle'

/** A list of lines and what can be done to it; the focus follows the line. */
export type RowEditing = {
  readonly place: RowPlace
  readonly rowIds: readonly string[]
  /** Tells who does not see it what happened. */
  readonly said: string
  /** Puts blank lines or these before the line at an index. */
  readonly insert: (index: number, rows?: readonly CustomServerRow[]) => void
  readonly remove: (index: number) => void
  /** `focus` is the end of the id of what keeps the focus. */
  readonly move: (index: number, by: -1 | 1, focus?: '-up' | '-down') => void
}

/** Element id of what a user types into first in a line. */
export function rowElement(place: RowPlace, index: number): string {
  return customServerId(`${place}.${index}.${place === 'args' ? 'value' : 'name'}`)
}

/** Edits one list of the form. */
export function useRowEditing(control: InstallControl, place: RowPlace): RowEditing {
  const { fields, insert, remove, move } = useFieldArray({ control, name: `hand.${place}` })
  const [said, setSaid] = useState('')
  function focusRow(index: number, part = ''): void {
    // The line may not be drawn yet.
    requestAnimationFrame(() =>
      document.getElementById(`${rowElement(place, index)}${part}`)?.focus(),
    )
  }
  return {
    place,
    rowIds: fields.map(({ id }) => id),
    said,
    insert: (index, rows) => {
      insert(index, rows ? [...rows] : { name: '', value: [] }, { shouldFocus: false })
      if (rows) setSaid(`Pasted ${String(rows.length + 1)} lines.`)
      focusRow(index + (rows ?? ['']).length - 1)
    },
    remove: (index) => {
      remove(index)
      setSaid(`Line ${index + 1} removed.`)
      if (fields.length > 1) focusRow(Math.max(index - 1, 0))
    },
    move: (index, by, focus) => {
      const to = index + by
      if (to < 0 || to >= fields.length) return
      move(index, to)
      setSaid(`Moved to position ${to + 1} of ${fields.length}.`)
      focusRow(to, focus)
    },
  }
}

/** Pasted text as lines of a list of arguments, secrets by the names before them; null for a single one, which the input takes itself. */
export function pastedArguments(text: string): CustomServerRow[] | null {
  if (!/[\r\n]/.test(text.trim())) return null
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  const words = lines.map((line) => line.trim())
  return words.map((word, index) => {
    const context = { place: 'argument', name: flagBefore(words, index) } as const
    return { name: '', value: secretText(openText(word), context) }
  })
}

/** Pasted text as pairs, where every line of it is one: `NAME=value`, `export NAME="value"`, `Name: value`. */
export function pastedPairs(text: string): CustomServerRow[] | null {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'))
  const pairs = lines.map((line) =>
    /^(?:export\s+)?([\w.-]+)\s*(?:=|:\s)\s*(.*)$/.exec(line.trim()),
  )
  if (pairs.length === 0 || pairs.some((pair) => pair === null)) return null
  return pairs.map((pair) => {
    const [, name = '', value = ''] = pair ?? []
    return pairRow(name, value.replace(/^(["'])(.*)\1$/, '$2'))
  })
}

function pairRow(name: string, text: string): CustomServerRow {
  const isSecret = suggestSecret(name, []).length > 0
  return { name, value: isSecret ? [{ kind: 'secret', secret: text }] : openText(text) }
}
