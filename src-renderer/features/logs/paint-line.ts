import type { LogEntry, TextStyle } from '../../../src-shared/domain/running/log-entry'
import type { LogHit } from '../../../src-shared/domain/running/log-query'

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
  hits: readonly LogHit[] = [],
): readonly PaintedPiece[] {
  return cutAtHits(text, hits).flatMap((piece) =>
    piece.hit || styles.length === 0
      ? [{ ...piece, style: undefined }]
      : splitAtStyles(piece, styles),
  )
}

type Piece = { readonly text: string; readonly start: number; readonly hit: boolean }

function cutAtHits(text: string, hits: readonly LogHit[]): Piece[] {
  const pieces: Piece[] = []
  const add = (from: number, to: number, hit: boolean): void => {
    if (to > from) pieces.push({ text: text.slice(from, to), start: from, hit })
  }
  let at = 0
  for (const hit of hits) {
    const start = Math.min(hit.start, text.length)
    if (start < at) continue
    add(at, start, false)
    at = Math.max(start, Math.min(hit.end, text.length))
    add(start, at, true)
  }
  add(at, text.length, false)
  return pieces.length > 0 ? pieces : [{ text: '', start: 0, hit: false }]
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

/** The states whose inks and soft grounds are nearest to a terminal's colours. */
const STATES: Readonly<Record<string, string>> = {
  red: 'is-error',
  green: 'is-ready',
  yellow: 'is-degraded',
  blue: 'is-starting',
  magenta: 'ink-magenta',
  cyan: 'term-cyan',
}

type Ink = NonNullable<TextStyle['color']>

function stateOf(color: Ink): string | undefined {
  return STATES[color.replace('bright', '').toLowerCase()]
}

/** The classes of an ink; black and white are the theme's own. */
export function inkClasses(color: Ink): readonly string[] {
  const state = stateOf(color)
  if (state === undefined) return [color === 'white' || color === 'brightWhite' ? 'ink' : 'soft']
  return [color.startsWith('bright') ? 'term-bright' : 'tone', state]
}

/** A bright ground is no other than the plain one: both are soft. */
function groundClasses(background: Ink): readonly string[] {
  const state = stateOf(background)
  return ['term-ground', ...(state === undefined ? ['pressed'] : ['tint', state])]
}

/** The classes that draw a style; the server's text chooses among the theme's own colours only. */
export function styleClasses(style: TextStyle): readonly string[] {
  const { color, background, bold, dim, italic, underline } = style
  // On a ground the text has the ordinary colour: no pair of colours can then hide it.
  const ink = background === undefined ? color : undefined
  return [
    ...(ink === undefined ? [] : inkClasses(ink)),
    ...(background === undefined ? [] : groundClasses(background)),
    ...(bold ? ['term-bold'] : []),
    ...(dim && ink === undefined && background === undefined ? ['soft'] : []),
    ...(italic ? ['term-italic'] : []),
    ...(underline ? ['term-underline'] : []),
  ]
}
