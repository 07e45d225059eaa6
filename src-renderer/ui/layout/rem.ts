/** One rem in px, which depends on the person's text size. */
export function remInPx(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
}
