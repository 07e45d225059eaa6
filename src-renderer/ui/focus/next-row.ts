/**
 * Returns the row that a key leads to, or undefined for other keys; `page` is the number of lines of a page key, `columns` the number of
 * rows in a line of a grid.
 */
export function nextRow(
  key: string,
  from: number,
  total: number,
  page: number,
  columns?: number,
): number | undefined {
  const last = total - 1
  const line = columns ?? 1
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: from + line,
    ArrowUp: from - line,
    PageDown: from + page * line,
    PageUp: from - page * line,
    Home: 0,
    End: last,
    ...(columns !== undefined && { ArrowRight: from + 1, ArrowLeft: from - 1 }),
  }
  const to = Object.hasOwn(steps, key) ? steps[key] : undefined
  return to === undefined || last < 0 ? undefined : Math.min(last, Math.max(0, to))
}
