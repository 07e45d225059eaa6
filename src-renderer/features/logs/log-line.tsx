import clsx from 'clsx'
import { Fragment, type JSX, memo } from 'react'

import type { LogEntry, TextStyle } from '../../../src-shared/domain/running/log-entry'
import type { LogHit, LogRow } from '../../../src-shared/domain/running/log-query'
import { StatusGlyph, type StatusKind } from '../../ui/marks/status-glyph'
import { counted, formatStamp } from '../../ui/text/format'
import { visibleText } from '../../ui/text/untrusted-text'

type PaintedPiece = {
  readonly text: string
  readonly start: number
  readonly hit: boolean
  readonly style: TextStyle | undefined
}

/** Splits a line at each change of style. Matches of the search replace a server's colors, which could hide them. */
export function paintLine(
  { text, styles = [] }: Pick<LogEntry, 'text' | 'styles'>,
  hits: readonly LogHit[] = [],
): readonly PaintedPiece[] {
  const whole = { text, start: 0, hit: false, style: undefined }
  const pieces = cutAt(whole, hits, () => ({ hit: true })).flatMap((piece) =>
    piece.hit ? [piece] : cutAt(piece, styles, (style) => ({ style })),
  )
  return pieces.length > 0 ? pieces : [whole]
}

/** Splits a piece at ranges of its line, whose style comes from `styleOf`; of overlapping ranges the first wins. */
function cutAt<R extends LogHit>(
  piece: PaintedPiece,
  ranges: readonly R[],
  styleOf: (range: R) => Partial<PaintedPiece>,
): PaintedPiece[] {
  const pieces: PaintedPiece[] = []
  const end = piece.start + piece.text.length
  let at = piece.start
  const addTo = (to: number, change: Partial<PaintedPiece>): void => {
    if (to <= at) return
    const text = piece.text.slice(at - piece.start, to - piece.start)
    pieces.push({ ...piece, text, start: at, ...change })
    at = to
  }
  for (const range of ranges) {
    if (range.end <= range.start) continue
    addTo(Math.min(range.start, end), {})
    if (range.start < end) addTo(Math.min(range.end, end), styleOf(range))
  }
  addTo(end, {})
  return pieces
}

/** Status classes with the text and background colors closest to a terminal's colors. */
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

/** Returns the classes of a text color; black and white are the theme's own. */
function inkClasses(color: Ink): readonly string[] {
  const state = stateOf(color)
  if (state === undefined)
    return [color === 'white' || color === 'brightWhite' ? 'text-foreground' : 'text-muted']
  return [color.startsWith('bright') ? 'term-bright' : 'text-status', state]
}

/** Returns the classes of a background; bright ones equal the plain ones, because both are soft. */
function groundClasses(background: Ink): readonly string[] {
  const state = stateOf(background)
  return ['term-ground', ...(state === undefined ? ['bg-press'] : ['tint', state])]
}

/** Returns the classes of a style; a server's text uses the theme's own colors only. */
export function styleClasses(style: TextStyle): readonly string[] {
  const { color, background, bold, dim, italic, underline } = style
  // Text on a background has the normal color, so that no color pair can hide it.
  const ink = background === undefined ? color : undefined
  return [
    ...(ink === undefined ? [] : inkClasses(ink)),
    ...(background === undefined ? [] : groundClasses(background)),
    ...(bold ? ['font-strong'] : []),
    ...(dim && ink === undefined && background === undefined ? ['text-muted'] : []),
    ...(italic ? ['italic'] : []),
    ...(underline ? ['term-underline'] : []),
  ]
}

/** Label of a line that is not from stderr. */
const SOURCE_LABEL: Record<LogEntry['source'], string | null> = {
  stderr: null,
  stdout: 'stdout, invalid message',
  install: 'install',
  patchbay: 'Patchbay',
}

const GLYPHS: Readonly<Record<string, StatusKind>> = {
  Start: 'starting',
  Ready: 'ready',
  Stopping: 'stopping',
  Stopped: 'stopped',
}

/** Colors of server names, which help distinguish servers in addition to the name. */
const INKS = ['blue', 'magenta', 'cyan', 'green', 'yellow', 'red'] as const

const INK_OF: Readonly<Partial<Record<LogEntry['level'], string>>> = {
  debug: 'text-faint',
  error: 'text-status',
}

const TONES: Readonly<Partial<Record<LogEntry['level'], string>>> = {
  warn: 'is-degraded',
  error: 'tint is-error',
}

export type LineProps = {
  readonly row: LogRow
  readonly isCurrent: boolean
  /** Name of the line's server, if lines of several servers are mixed. */
  readonly from?: string | undefined
}

/** Whether a line reports the server's status instead of its output. */
function isMark({ source, level }: LogEntry): boolean {
  return source === 'patchbay' && level === 'info'
}

function LineText({ row, isCurrent }: LineProps): JSX.Element[] {
  return paintLine(row.entry, row.hits).map(({ text, start, hit, style }) => {
    if (hit)
      return (
        <mark key={start} className={clsx('hit', isCurrent && 'hit-current')}>
          {visibleText(text)}
        </mark>
      )
    return style ? (
      <span key={start} className={clsx(styleClasses(style))}>
        {visibleText(text)}
      </span>
    ) : (
      <Fragment key={start}>{visibleText(text)}</Fragment>
    )
  })
}

function LogMark(props: LineProps): JSX.Element {
  const { at, text } = props.row.entry
  const glyph = GLYPHS[text.split(' ', 1)[0] ?? '']
  return (
    <div
      className={clsx(
        'lv-mark between-rules flex items-center gap-3 text-small text-muted',
        props.isCurrent && 'is-current',
      )}
    >
      {glyph && <StatusGlyph status={glyph} />}
      {props.from !== undefined && (
        <span className="max-w-64 truncate font-medium text-foreground">{props.from}</span>
      )}
      <span className="msg wrap-anywhere">
        <LineText {...props} />
      </span>
      <time className="text-faint">{formatStamp(at)}</time>
    </div>
  )
}

/** Shows how many lines are missing before the next one. */
export function LogGap(props: { readonly count: number; readonly atTop: boolean }): JSX.Element {
  const { count, atTop } = props
  const lines = counted(count, atTop ? 'earlier line' : 'line')
  return (
    <div className="lv-mark between-rules flex items-center gap-3 text-small text-muted">{`${lines} no longer available`}</div>
  )
}

/** One line: time, server, level, text with highlighted matches, and its source if that is not stderr. */
export const LogLine = memo(function LogLine(props: LineProps): JSX.Element {
  const { at, level, source, continues } = props.row.entry
  const { from } = props
  if (isMark(props.row.entry)) return <LogMark {...props} />
  const label = SOURCE_LABEL[source]
  const ink = INKS[props.row.server % INKS.length] ?? 'blue'
  return (
    <div
      className={clsx(
        'line grid hover:bg-hover',
        TONES[level],
        from !== undefined && 'has-from',
        props.isCurrent && 'is-current',
        `lv-${level}`,
      )}
    >
      <time className={level === 'error' ? 'text-muted' : 'text-faint'}>{formatStamp(at)}</time>
      {from !== undefined && (
        <span className={clsx('from truncate', inkClasses(ink))} title={from}>
          {from}
        </span>
      )}
      <span className={level in TONES ? 'text-status' : 'text-faint'}>{level}</span>
      <span className={clsx('msg min-w-0 wrap-anywhere whitespace-pre-wrap', INK_OF[level])}>
        <LineText {...props} />
        {continues && <span className="goes-on text-muted"> … continues below</span>}
      </span>
      {label !== null && <span className="src text-micro text-faint">{label}</span>}
    </div>
  )
})
