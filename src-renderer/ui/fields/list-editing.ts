import type { ClipboardEvent, KeyboardEvent } from 'react'

import { isJson, splitSeveral } from '../../../src-shared/form/split-several'

/** Returns the list with the entry at `from` moved to `to`; unchanged if `to` is out of range. */
export function moveEntry(list: readonly string[], from: number, to: number): string[] {
  const next = [...list]
  if (to < 0 || to >= next.length) return next
  const [moved] = next.splice(from, 1)
  if (moved !== undefined) next.splice(to, 0, moved)
  return next
}

/** Returns the list after a paste into the entry at `index`: its text stays, the pasted entries follow. */
export function pasteEntries(
  list: readonly string[],
  index: number,
  text: string,
): { readonly entries: string[]; readonly last: number } {
  const before = list[index] ?? ''
  const existing = before === '' ? [] : [before]
  const pasted = splitPasted(text)
  return {
    entries: list.toSpliced(index, 1, ...existing, ...pasted),
    last: index + Math.max(0, existing.length + pasted.length - 1),
  }
}

/** Splits the comma-separated text at `index` into entries, of which `last` is the last; undefined if nothing changes. */
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

/** Editing a list of inputs with mouse and keyboard; the focus follows the entry. */
export type ListEditing = {
  readonly change: (index: number, text: string) => void
  readonly add: (after: number) => void
  /** A typed entry loses the focus: comma-separated text becomes an entry for each value. */
  readonly leave: (index: number) => void
  readonly remove: (index: number) => void
  /** `focus` is the id suffix of the button that keeps the focus; otherwise the input gets it. */
  readonly move: (from: number, by: -1 | 1, focus?: '-up' | '-down') => void
  /** `isTyped`: the entry was edited since it got the focus. */
  readonly onKeyDown: (event: KeyboardEvent, index: number, isTyped: boolean) => void
  readonly onPaste: (event: ClipboardEvent, index: number) => void
}

/** Edits `entries` (never empty); its inputs have the ids `ID-0`, `ID-1` and so on. `announce` announces the changes to screen readers. */
export function listEditing(
  id: string,
  entries: readonly string[],
  onValueChange: (value: string[]) => void,
  announce: (message: string) => void,
): ListEditing {
  function update(next: string[], focused?: number, part = ''): void {
    onValueChange(next)
    if (focused === undefined) return
    // The entry may not be mounted yet.
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
    announce(`Split at commas. The list has ${split.entries.length + Number(isRowAdded)} entries.`)
  }
  function remove(index: number): void {
    update(entries.toSpliced(index, 1), Math.max(0, index - 1))
    announce(`Entry ${index + 1} removed.`)
  }
  function move(from: number, by: -1 | 1, focus?: '-up' | '-down'): void {
    const to = from + by
    if (to < 0 || to >= entries.length) return
    update(moveEntry(entries, from, to), to, focus)
    announce(`Moved to position ${to + 1} of ${entries.length}.`)
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
    announce(`Pasted. The list has ${pasted.entries.length} entries.`)
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

/** Splits pasted text at commas and line ends into trimmed, non-empty entries; JSON is one entry. */
export function splitPasted(text: string): string[] {
  return isJson(text) ? [text] : text.split(/[\r\n]+/).flatMap(splitSeveral)
}

/** Returns the action of a key in a row of a list: add a row below, remove a blank one, move by one; null for typing. */
export function rowKey(event: KeyboardEvent, isBlank: boolean): 'add' | 'remove' | -1 | 1 | null {
  const isChord = event.ctrlKey || event.metaKey || event.nativeEvent.isComposing
  if (event.key === 'Enter' && !event.shiftKey && !isChord) return 'add'
  if (event.key === 'Backspace' && isBlank) return 'remove'
  if (event.altKey && event.key === 'ArrowUp') return -1
  if (event.altKey && event.key === 'ArrowDown') return 1
  return null
}
