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
