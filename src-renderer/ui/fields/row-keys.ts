import type { KeyboardEvent } from 'react'

/** What a key pressed in a row of a list does to it: a row below it, its removal where it is blank, a move by one; null for what is typed. */
export function rowKey(event: KeyboardEvent, isBlank: boolean): 'add' | 'remove' | -1 | 1 | null {
  const isChord = event.ctrlKey || event.metaKey || event.nativeEvent.isComposing
  if (event.key === 'Enter' && !event.shiftKey && !isChord) return 'add'
  if (event.key === 'Backspace' && isBlank) return 'remove'
  if (event.altKey && event.key === 'ArrowUp') return -1
  if (event.altKey && event.key === 'ArrowDown') return 1
  return null
}
