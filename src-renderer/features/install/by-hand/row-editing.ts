import type { KeyboardEvent } from 'react'

import { blankRow, type EditedText, type HandRow } from './hand-form'
import { suggestSecret } from './secret-toggle'

/** What can be done to a list of lines; the focus follows the line. */
export type RowEditing = {
  readonly change: (rowId: string, change: Partial<Pick<HandRow, 'name' | 'value'>>) => void
  /** Behind a line, or at the end. */
  readonly add: (after?: string) => void
  readonly remove: (rowId: string) => void
  /** `focus` is the end of the id of what keeps the focus. */
  readonly move: (rowId: string, by: -1 | 1, focus?: '-up' | '-down') => void
  /** Puts lines in the place of one. */
  readonly replace: (rowId: string, rows: readonly HandRow[]) => void
  readonly onKeyDown: (event: KeyboardEvent, row: HandRow) => void
}

/** Element id of what a person types into first in a line. */
export function rowElement(rowId: string): string {
  return `hand-row-${rowId}`
}

function focusRow(rowId: string, part = ''): void {
  // The line may not be drawn yet.
  requestAnimationFrame(() => document.getElementById(`${rowElement(rowId)}${part}`)?.focus())
}

function isBlank({ name, value }: HandRow): boolean {
  return name === '' && value.kind === 'plain' && value.text === ''
}

/** Edits `rows`; `say` tells who does not see it what happened. */
export function rowEditing(
  rows: readonly HandRow[],
  onChange: (rows: readonly HandRow[]) => void,
  say: (sentence: string) => void,
): RowEditing {
  const placeOf = (rowId: string): number => rows.findIndex((row) => row.rowId === rowId)

  function add(after?: string): void {
    const row = blankRow()
    const place = after === undefined ? rows.length : placeOf(after) + 1
    onChange(rows.toSpliced(place, 0, row))
    focusRow(row.rowId)
  }
  function remove(rowId: string): void {
    const place = placeOf(rowId)
    onChange(rows.toSpliced(place, 1))
    say(`Line ${place + 1} removed.`)
    const neighbour = rows[place - 1] ?? rows[place + 1]
    if (neighbour) focusRow(neighbour.rowId)
  }
  function move(rowId: string, by: -1 | 1, focus?: '-up' | '-down'): void {
    const from = placeOf(rowId)
    const to = from + by
    const row = rows[from]
    if (row === undefined || to < 0 || to >= rows.length) return
    onChange(rows.toSpliced(from, 1).toSpliced(to, 0, row))
    say(`Moved to place ${to + 1} of ${rows.length}.`)
    focusRow(rowId, focus)
  }
  function replace(rowId: string, lines: readonly HandRow[]): void {
    onChange(rows.toSpliced(placeOf(rowId), 1, ...lines))
    say(`Pasted ${lines.length} lines.`)
    const last = lines.at(-1)
    if (last) focusRow(last.rowId)
  }
  function onKeyDown(event: KeyboardEvent, row: HandRow): void {
    const isChord = event.ctrlKey || event.metaKey || event.nativeEvent.isComposing
    if (event.key === 'Enter' && !event.shiftKey && !isChord) add(row.rowId)
    else if (event.key === 'Backspace' && isBlank(row)) remove(row.rowId)
    else if (event.altKey && event.key === 'ArrowUp') move(row.rowId, -1)
    else if (event.altKey && event.key === 'ArrowDown') move(row.rowId, 1)
    else return
    event.preventDefault()
  }
  return {
    change: (rowId, change) =>
      onChange(rows.map((row) => (row.rowId === rowId ? { ...row, ...change } : row))),
    add,
    remove,
    move,
    replace,
    onKeyDown,
  }
}

/** Pasted text as lines of a list of arguments; null for a single one, which the input takes itself. */
export function pastedArguments(text: string): HandRow[] | null {
  if (!/[\r\n]/.test(text.trim())) return null
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  return lines.map((line) => blankRow('', { kind: 'plain', text: line.trim() }))
}

/** Pasted text as pairs, where every line of it is one: `NAME=value`, `export NAME="value"`, `Name: value`. */
export function pastedPairs(text: string): HandRow[] | null {
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

function pairRow(name: string, text: string): HandRow {
  const empty = suggestSecret(name, { kind: 'plain', text: '' })
  const value: EditedText =
    empty.kind === 'secret'
      ? { kind: 'secret', pieces: [{ kind: 'secret', secret: text }] }
      : { kind: 'plain', text }
  return blankRow(name, value)
}
