import { useEffect, useRef, useState } from 'react'

import { keepFocus } from '../layout/page'

/** What has the focus as a dialog opens; for an entry of a menu, which goes with it, the button of the menu. */
function opener(): Element | null {
  const { activeElement } = document
  const buttonId = activeElement?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  return document.getElementById(buttonId ?? '') ?? activeElement
}

/**
 * For a dialog that nothing but the page opens: gives the focus back to what had it before, while that still stands.
 * Dialogs do so automatically; this is for those who have a say in it.
 */
export function useWayBack(): (event: Event) => void {
  const [before] = useState(opener)
  return (event) => {
    if (!(before instanceof HTMLElement) || !before.isConnected) return
    event.preventDefault()
    before.focus({ preventScroll: true })
  }
}

const DIALOGS = '[role="dialog"], [role="alertdialog"]'

/** Tells whether a dialog that was not there as this one opened has the focus by now. */
function useNewerDialog(): () => boolean {
  const [before] = useState(() => new Set(document.querySelectorAll(DIALOGS)))
  return () => {
    const dialog = document.activeElement?.closest(DIALOGS)
    return dialog != null && !before.has(dialog)
  }
}

/**
 * Where the focus goes as a dialog closes: to where its owner wants it, which is asked first, else to what had it before,
 * and to the page where that is gone or takes none. It stays in a dialog that was opened meanwhile, as a dialog tells of
 * its end only after it is gone.
 */
export function useReturn(own: ((event: Event) => void) | undefined): (event: Event) => void {
  const wayBack = useWayBack()
  const isInNewerDialog = useNewerDialog()
  return (event) => {
    if (isInNewerDialog()) {
      event.preventDefault()
      return
    }
    own?.(event)
    if (!event.defaultPrevented) wayBack(event)
    event.preventDefault()
    keepFocus()
  }
}

/**
 * For `onCloseAutoFocus` of a dialog: gives the focus to an element in place of what opened the dialog, which is
 * gone by then. Without an id, or without such an element, the focus goes back as always.
 */
export function focusAfter(event: Event, elementId: string | undefined): void {
  const target = elementId === undefined ? null : document.getElementById(elementId)
  if (target === null) return
  event.preventDefault()
  target.focus()
}

/** Gives the page the focus where what had it goes as `what` becomes another: a button that takes itself away. */
export function useKeptFocus(what: unknown): void {
  const before = useRef(what)
  useEffect(() => {
    if (before.current !== what) keepFocus()
    before.current = what
  }, [what])
}
