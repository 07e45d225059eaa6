import type { KeyboardEvent } from 'react'

import { nextRow } from './next-row'

/** How many rows a page key passes. */
const PAGE = 10

const CONTROL = 'a, button, input'

/** The control in the same column of a row, else the link of its name. */
function controlOf(row: HTMLTableRowElement | undefined, column: number): HTMLElement | null {
  const same = row?.cells[column]?.querySelector<HTMLElement>(CONTROL)
  return same ?? row?.querySelector<HTMLElement>('a') ?? null
}

function isHeld({ shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return shiftKey || ctrlKey || metaKey || altKey
}

/** For a `tbody`: arrows, Home, End and the page keys lead from a control of a row to the same one of another row. */
export function leadRows(event: KeyboardEvent<HTMLTableSectionElement>): void {
  const { target, currentTarget, key } = event
  if (event.defaultPrevented || isHeld(event) || !(target instanceof Element)) return
  const cell = target.closest<HTMLTableCellElement>('td, th')
  const rows = [...currentTarget.rows]
  const from = rows.findIndex((row) => row === cell?.parentElement)
  if (cell === null || from < 0) return
  const to = nextRow(key, from, rows.length, PAGE)
  const control = to === undefined ? null : controlOf(rows[to], cell.cellIndex)
  if (control === null) return
  event.preventDefault()
  control.focus()
}
