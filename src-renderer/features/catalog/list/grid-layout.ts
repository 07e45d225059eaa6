/** How the cards stand: lengths in px. */
export type GridLayout = {
  readonly columns: number
  readonly cardHeight: number
  readonly gap: number
}

/** In rem: a card beside others, and one that has the row for itself, whose tags stand next to its name. */
const LEAST_WIDTH = 15.5
const TALL = 8.25
const FLAT = 6.75
const GAP = 0.5

/** Lays cards out in a list of this width; `rem` is the size of the root's text. */
export function layoutGrid(width: number, rem: number): GridLayout {
  const gap = GAP * rem
  const columns = Math.max(1, Math.floor((width + gap) / (LEAST_WIDTH * rem + gap)))
  return { columns, cardHeight: (columns === 1 ? FLAT : TALL) * rem, gap }
}

/** Which place an arrow key leads to; undefined for other keys and beyond the ends. */
export function nextPlace(
  key: string,
  from: number,
  {
    columns,
    total,
    rows,
  }: { readonly columns: number; readonly total: number; readonly rows: number },
): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: from + 1,
    ArrowLeft: from - 1,
    ArrowDown: from + columns,
    ArrowUp: from - columns,
    PageDown: Math.min(from + columns * rows, total - 1),
    PageUp: Math.max(from - columns * rows, 0),
    Home: 0,
    End: total - 1,
  }
  const place = Object.hasOwn(steps, key) ? steps[key] : undefined
  return place !== undefined && place >= 0 && place < total ? place : undefined
}

/** Where the card at a place of the list stands; `top` is that of its row, in px. */
export function cardPlace(
  index: number,
  top: number,
  { columns, gap, cardHeight }: GridLayout,
): {
  readonly top: number
  readonly height: number
  readonly width: string
  readonly left: string
} {
  const column = index % columns
  const width = `(100% - ${(columns - 1) * gap}px) / ${columns}`
  return {
    top,
    height: cardHeight,
    width: `calc(${width})`,
    left: `calc(${column} * (${width} + ${gap}px))`,
  }
}
