/** One rem in px, which depends on the user's text size. */
export function remInPx(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
}
