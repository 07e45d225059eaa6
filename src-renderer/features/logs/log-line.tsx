import clsx from 'clsx'
import type { JSX } from 'react'
import { memo } from 'react'

import type { LogEntry } from '../../../src-shared/domain/log-entry'
import { formatStamp } from '../../ui/elapsed'
import { visibleText } from '../../ui/visible-text'
import { splitAtMatches } from './log-search'

const LONGEST = 20_000

/** What stands beside a line that is not from stderr. */
export const SOURCE_WORD: Record<LogEntry['source'], string | null> = {
  stderr: null,
  stdout: 'stdout, not a message',
  install: 'install',
  patchbay: 'Patchbay',
}

/** One line: time, level, text with the searched words marked, and its source when that is not stderr. */
export const LogLine = memo(function LogLine({
  entry,
  query,
  currentStart,
}: {
  readonly entry: LogEntry
  readonly query: string
  /** Offset of the current match, when it stands in this line. */
  readonly currentStart: number | null
}): JSX.Element {
  const { at, level, source, text } = entry
  const word = SOURCE_WORD[source]
  return (
    <div className={clsx('line', `lv-${level}`)}>
      <time>{formatStamp(at)}</time>
      <span className="lv">{level}</span>
      <span className="msg">
        {splitAtMatches(text.slice(0, LONGEST), query).map((piece) =>
          piece.hit ? (
            <mark
              key={piece.start}
              className={clsx('hit', piece.start === currentStart && 'hit-current')}
            >
              {visibleText(piece.text)}
            </mark>
          ) : (
            visibleText(piece.text)
          ),
        )}
        {text.length > LONGEST && <span className="faint"> … cut here, export shows all</span>}
      </span>
      {word !== null && <span className="src">{word}</span>}
    </div>
  )
})
