import './overview.css'

import type { JSX } from 'react'

import type { ServerView } from '../../../../src-shared/domain/state/app-state'
import { useNow } from '../../../stores/now'
import { LearnMore } from '../../../ui/controls/learn-more'
import { PartHead } from '../../../ui/layout/part-head'
import { counted, formatFull, formatMoment } from '../../../ui/text/format'
import { PlainText } from '../../../ui/text/plain-text'

/** What a server sent against the protocol since its last start, the newest first; nothing where it sent none. */
export function ProtocolWarnings({ server }: { readonly server: ServerView }): JSX.Element | null {
  const now = useNow(60_000)
  const warnings = server.protocolWarnings.toReversed()
  if (warnings.length === 0) return null
  return (
    <section aria-labelledby="protocol-warnings">
      <PartHead id="protocol-warnings" title="Protocol warnings" />
      <ol className="protocol-warnings roomy" aria-label="Protocol warnings, newest first">
        {warnings.map(({ kind, message, count, lastAt }) => (
          <li key={message} className="stack gap-3 rows-0 at-base ruled">
            <PlainText text={message} />
            <span className="faint num">{counted(count, 'time')}</span>
            <time
              className="faint num"
              dateTime={new Date(lastAt).toISOString()}
              title={formatFull(lastAt)}
            >
              {formatMoment(lastAt, now)}
            </time>
            <LearnMore topic={kind} />
          </li>
        ))}
      </ol>
    </section>
  )
}
