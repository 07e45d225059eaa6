import type { LogEntry, TextStyle } from '../../../src-shared/domain/log-entry'
import { splitAtMatches } from './log-search'

/** A part of a line that looks the same throughout. */
export type PaintedPiece = {
  readonly text: string
  readonly start: number
  readonly hit: boolean
  readonly style: TextStyle | undefined
}

/**
 * A line cut where its looks change. What was searched for looks like any match, so that a colour of
 * the server's never hides it.
 */
export function paintLine(
  { text, styles = [] }: Pick<LogEntry, 'text' | 'styles'>,
  query: string,
): readonly PaintedPiece[] {
  const pieces = splitAtMatches(text, query)
  if (styles.length === 0) return pieces.map((piece) => ({ ...piece, style: undefined }))
  return pieces.flatMap((piece) =>
    piece.hit ? [{ ...piece, style: undefined }] : splitAtStyles(piece, styles),
  )
}

function splitAtStyles(
  piece: { readonly text: string; readonly start: number },
  styles: readonly TextStyle[],
): PaintedPiece[] {
  const pieces: PaintedPiece[] = []
  const end = piece.start + piece.text.length
  const add = (from: number, to: number, style: TextStyle | undefined): void => {
    if (to <= from) return
    const text = piece.text.slice(from - piece.start, to - piece.start)
    pieces.push({ text, start: from, hit: false, style })
  }
  let at = piece.start
  for (const style of styles) {
    if (style.end <= at || style.start >= end || style.end <= style.start) continue
    add(at, style.start, undefined)
    add(Math.max(at, style.start), Math.min(end, style.end), style)
    at = Math.min(end, style.end)
  }
  add(at, end, undefined)
  return pieces
}

/** The classes that draw a style; the server's text chooses among the theme's own colours only. */
export function styleClasses(style: TextStyle): readonly string[] {
  const { color, background, bold, dim, italic, underline } = style
  // On a ground the text has the ordinary colour: no pair of colours can then hide it.
  const ink = background === undefined ? color : undefined
  return [
    ...(ink === undefined ? [] : [`term-${ink}`]),
    ...(background === undefined ? [] : ['term-ground', `term-on-${background}`]),
    ...(bold ? ['term-bold'] : []),
    ...(dim && ink === undefined && background === undefined ? ['term-dim'] : []),
    ...(italic ? ['term-italic'] : []),
    ...(underline ? ['term-underline'] : []),
  ]
}
