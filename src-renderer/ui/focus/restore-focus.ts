import { useEffect, useRef, useState } from 'react'

import { keepFocus } from '../layout/page'

/** Returns the focused element when a dialog opens; for a menu item, which is about to be removed, the button of the menu. */
function opener(): Element | null {
  const { activeElement } = document
  const buttonId = activeElement?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  return document.getElementById(buttonId ?? '') ?? activeElement
}

/**
 * For a dialog that the page opens: restores the focus to the previously focused element if it still exists. Dialogs do so automatically;
 * this is for those with custom focus handling.
 */
export function useRestoredFocus(): (event: Event) => void {
  const [before] = useState(opener)
  return (event) => {
    if (!(before instanceof HTMLElement) || !before.isConnected) return
    event.preventDefault()
    before.focus({ preventScroll: true })
  }
}

const DIALOGS = '[role="dialog"], [role="alertdialog"]'

/** Whether a dialog is open, which takes precedence. */
export function isDialogOpen(): boolean {
  return document.querySelector(DIALOGS) !== null
}

/** Returns a function that says whether a dialog opened later has the focus. */
function useNewerDialog(): () => boolean {
  const [before] = useState(() => new Set(document.querySelectorAll(DIALOGS)))
  return () => {
    const dialog = document.activeElement?.closest(DIALOGS)
    return dialog != null && !before.has(dialog)
  }
}

/**
 * Restores the focus when a dialog closes: to the element that its owner wants, else to the previously focused one, else to the page. The
 * focus stays in a dialog that opened in the meantime, because a dialog reports its end only after it is removed.
 */
export function useReturn(own: ((event: Event) => void) | undefined): (event: Event) => void {
  const restore = useRestoredFocus()
  const isInNewerDialog = useNewerDialog()
  return (event) => {
    if (isInNewerDialog()) {
      event.preventDefault()
      return
    }
    own?.(event)
    if (!event.defaultPrevented) restore(event)
    event.preventDefault()
    keepFocus()
  }
}

/**
 * For `onCloseAutoFocus` of a dialog: focuses an element instead of the dialog's trigger, which no longer exists. Without an id or such an
 * element, the focus is restored as usual.
 */
export function focusAfter(event: Event, elementId: string | undefined): void {
  const target = elementId === undefined ? null : document.getElementById(elementId)
  if (target === null) return
  event.preventDefault()
  target.focus()
}

/** Focuses the page if the focused element is removed when `what` changes, such as a button that removes itself. */
export function useKeptFocus(what: unknown): void {
  const before = useRef(what)
  useEffect(() => {
    if (before.current !== what) keepFocus()
    before.current = what
  }, [what])
}
