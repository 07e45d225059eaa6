import type { KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'

/** Keys in a dialog over the page are the dialog's. */
function isWithin(event: KeyboardEvent): boolean {
  return event.currentTarget.contains(event.target as Node)
}

/** What a field takes only as it is left, such as the name of a member, is taken before all is sent. */
export function leaveField(keep: () => void): void {
  const { activeElement } = document
  if (!(activeElement instanceof HTMLInputElement)) return
  flushSync(() => activeElement.blur())
  if (activeElement.isConnected) activeElement.focus({ preventScroll: true })
  else keep()
}

/** Ctrl+Enter sends, whatever a field makes of Enter; Escape takes back what is on its way, where no field needs it. */
export function toolRunKeys(acts: {
  readonly run: () => void
  readonly cancel: (() => void) | undefined
}): {
  readonly onKeyDownCapture: (event: KeyboardEvent) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
} {
  return {
    onKeyDownCapture: (event) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !isWithin(event)) return
      event.preventDefault()
      event.stopPropagation()
      acts.run()
    },
    onKeyDown: (event) => {
      if (event.key !== 'Escape' || event.defaultPrevented || !isWithin(event)) return
      if (acts.cancel === undefined) return
      event.preventDefault()
      acts.cancel()
    },
  }
}
