import clsx from 'clsx'
import type { JSX } from 'react'
import { Fragment, memo } from 'react'

import type { LogEntry } from '../../../src-shared/domain/log-entry'
import { formatCount, formatStamp } from '../../ui/elapsed'
import type { StatusKind } from '../../ui/status-glyph'
import { StatusGlyph } from '../../ui/status-glyph'
import { visibleText } from '../../ui/visible-text'
import { paintLine, styleClasses } from './paint-line'

/** What stands beside a line that is not from stderr. */
export const SOURCE_WORD: Record<LogEntry['source'], string | null> = {
  stderr: null,
  stdout: 'stdout, not a message',
  install: 'install',
  patchbay: 'Patchbay',
}

const GLYPHS: Readonly<Record<string, StatusKind>> = {
  Start: 'starting',
  Ready: 'ready',
  Stopping: 'stopping',
  Stopped: 'stopped',
}

/** Whether a line tells of the server's life rather than of its work. */
function isMark({ source, level }: LogEntry): boolean {
  return source === 'patchbay' && level === 'info'
}

function Words({ entry, query, currentStart }: LineProps): JSX.Element[] {
  return paintLine(entry, query).map(({ text, start, hit, style }) => {
    if (hit)
      return (
        <mark key={start} className={clsx('hit', start === currentStart && 'hit-current')}>
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
  const { at, text } = props.entry
  const glyph = GLYPHS[text.split(' ', 1)[0] ?? '']
  return (
    <div className="lv-mark">
      {glyph && <StatusGlyph status={glyph} />}
      <span className="msg">
        <Words {...props} />
      </span>
      <time>{formatStamp(at)}</time>
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
  const lines = `${formatCount(count)} ${atTop ? 'earlier ' : ''}${count === 1 ? 'line' : 'lines'}`
  return <div className="lv-mark">{`${lines} no longer held`}</div>
}

type LineProps = {
  readonly entry: LogEntry
  readonly query: string
  /** Offset of the current match, when it stands in this line. */
  readonly currentStart: number | null
}

/** One line: time, level, text with the searched words marked, and its source when that is not stderr. */
export const LogLine = memo(function LogLine(props: LineProps): JSX.Element {
  const { at, level, source, continues } = props.entry
  if (isMark(props.entry)) return <LogMark {...props} />
  const word = SOURCE_WORD[source]
  return (
    <div className={clsx('line', `lv-${level}`)}>
      <time>{formatStamp(at)}</time>
      <span className="lv">{level}</span>
      <span className="msg">
        <Words {...props} />
        {continues && <span className="goes-on"> … the line goes on below</span>}
      </span>
      {word !== null && <span className="src">{word}</span>}
    </div>
  )
})
