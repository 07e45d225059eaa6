import type { JSX } from 'react'

import type { MessageEntry } from '../../../../src-shared/domain/agents/message-log'
import { Button } from '../../../ui/controls/button'
import { formatBytes, formatDuration, formatStamp } from '../../../ui/text/format'
import { visibleText } from '../../../ui/text/visible-text'
import { MessageActs } from './message-acts'
import { MessageText } from './message-text'
import { DIRECTION_WORD } from './messages'

function Facts({ entry }: { readonly entry: MessageEntry }): JSX.Element {
  const { session, at, direction, id, bytes, durationMs, code } = entry
  return (
    <p className="flex wrap gap-3 rows-0 soft small num">
      <span>{DIRECTION_WORD[direction]}</span>
      <time dateTime={new Date(at).toISOString()}>{formatStamp(at)}</time>
      <span>{`session ${session}`}</span>
      {id !== undefined && (
        <span>
          id <code>{visibleText(id)}</code>
        </span>
      )}
      <span>{formatBytes(bytes)}</span>
      {durationMs !== undefined && <span>{`took ${formatDuration(durationMs)}`}</span>}
      {code !== undefined && <span className="tone is-error">{`error ${code}`}</span>}
    </p>
  )
}

/** One message in full. */
export function MessagePart({
  installationId,
  entry,
  title,
  isSelected,
  onGo,
}: {
  readonly installationId: string
  readonly entry: MessageEntry
  /** `Request`, `Answer` or `Notification`. */
  readonly title: string
  readonly isSelected: boolean
  /** Leads to its row in the list. */
  readonly onGo: () => void
}): JSX.Element {
  const what = title.toLowerCase()
  return (
    <section className="pad-row stack gap-1 slim fixed" aria-label={title}>
      <div className="row gap-1">
        <h3 className={isSelected ? 'accent' : undefined}>{title}</h3>
        {!isSelected && (
          <Button variant="quiet" size="small" onClick={onGo}>
            {`Go to ${what}`}
          </Button>
        )}
        <span className="grow" />
        <MessageActs installationId={installationId} entry={entry} what={what} />
      </div>
      <Facts entry={entry} />
      <MessageText key={entry.seq} installationId={installationId} entry={entry} label={title} />
    </section>
  )
}
