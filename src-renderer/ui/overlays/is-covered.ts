/** Whether a dialog or a menu lies over the page, so that the page's own keys mean nothing. */
export function isCovered(): boolean {
  return document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null
}
