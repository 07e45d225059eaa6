import clsx from 'clsx'
import type { JSX } from 'react'
import { Fragment, memo } from 'react'

import type { LogEntry } from '../../../src-shared/domain/running/log-entry'
import type { LogRow } from '../../../src-shared/domain/running/log-query'
import type { StatusKind } from '../../ui/marks/status-glyph'
import { StatusGlyph } from '../../ui/marks/status-glyph'
import { counted, formatStamp } from '../../ui/text/format'
import { visibleText } from '../../ui/text/visible-text'
import { inkClasses, paintLine, styleClasses } from './paint-line'

/** What stands beside a line that is not from stderr. */
const SOURCE_WORD: Record<LogEntry['source'], string | null> = {
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

/** Inks of the names of servers, which tell neighbours apart beside the name itself. */
const INKS = ['blue', 'magenta', 'cyan', 'green', 'yellow', 'red'] as const

/** The ink of the text of a level that has one. */
const INK_OF: Readonly<Partial<Record<LogEntry['level'], string>>> = {
  debug: 'faint',
  error: 'tone',
}

/** What colours a line by its level. */
const TONES: Readonly<Partial<Record<LogEntry['level'], string>>> = {
  warn: 'is-degraded',
  error: 'tint is-error',
}

export type LineProps = {
  readonly row: LogRow
  /** The line that a search stands at. */
  readonly isCurrent: boolean
  /** Where lines of several servers stand together: the name of its own. */
  readonly from?: string | undefined
}

/** Whether a line tells of the server's life rather than of its work. */
function isMark({ source, level }: LogEntry): boolean {
  return source === 'patchbay' && level === 'info'
}

function Words({ row, isCurrent }: LineProps): JSX.Element[] {
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

function From({ row, from }: LineProps): JSX.Element | null {
  if (from === undefined) return null
  const ink = INKS[row.server % INKS.length] ?? 'blue'
  return (
    <span className={clsx('from cut', inkClasses(ink))} title={from}>
      {from}
    </span>
  )
}

function LogMark(props: LineProps): JSX.Element {
  const { at, text } = props.row.entry
  const glyph = GLYPHS[text.split(' ', 1)[0] ?? '']
  return (
    <div
      className={clsx(
        'lv-mark between-rules row gap-3 soft small',
        props.isCurrent && 'is-current',
      )}
    >
      {glyph && <StatusGlyph status={glyph} />}
      {props.from !== undefined && <span className="narrow cut medium ink">{props.from}</span>}
      <span className="msg break">
        <Words {...props} />
      </span>
      <time className="faint">{formatStamp(at)}</time>
    </div>
  )
}

/** Says how many lines are missing before the next one. */
export function LogGap({
  count,
  atTop,
}: {
  readonly count: number
  readonly atTop: boolean
}): JSX.Element {
  const lines = counted(count, atTop ? 'earlier line' : 'line')
  return (
    <div className="lv-mark between-rules row gap-3 soft small">{`${lines} no longer available`}</div>
  )
}

/** One line: time, server, level, text with what was searched for marked, and its source when that is not stderr. */
export const LogLine = memo(function LogLine(props: LineProps): JSX.Element {
  const { at, level, source, continues } = props.row.entry
  if (isMark(props.row.entry)) return <LogMark {...props} />
  const word = SOURCE_WORD[source]
  const hasFrom = props.from !== undefined
  return (
    <div
      className={clsx(
        'line lights stack',
        TONES[level],
        hasFrom && 'has-from',
        props.isCurrent && 'is-current',
        `lv-${level}`,
      )}
    >
      <time className={level === 'error' ? 'soft' : 'faint'}>{formatStamp(at)}</time>
      <From {...props} />
      <span className={level in TONES ? 'tone' : 'faint'}>{level}</span>
      <span className={clsx('msg slim break keep-lines', INK_OF[level])}>
        <Words {...props} />
        {continues && <span className="goes-on soft"> … continues below</span>}
      </span>
      {word !== null && <span className="src faint micro">{word}</span>}
    </div>
  )
})
