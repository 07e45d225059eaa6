/** Where a key leads from a row, or undefined when it leads nowhere; `page` is how many rows a page key passes. */
export function nextRow(
  key: string,
  from: number,
  total: number,
  page: number,
): number | undefined {
  const last = total - 1
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: from + 1,
    ArrowUp: from - 1,
    PageDown: from + page,
    PageUp: from - page,
    Home: 0,
    End: last,
  }
  const to = steps[key]
  return to === undefined || last < 0 ? undefined : Math.min(last, Math.max(0, to))
}
