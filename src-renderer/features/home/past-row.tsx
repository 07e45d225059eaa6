import type { JSX, ReactNode } from 'react'

import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { ButtonLink } from '../../ui/controls/button'
import { StatusGlyph } from '../../ui/marks/status-glyph'

/** One thing of the past of a server, with the way to its log. */
export function PastRow({
  server: { installationId, name, status },
  label,
  message,
  moment,
}: {
  readonly server: ServerView
  /** How it is now, for who does not see the mark. */
  readonly label: string
  readonly message: string
  readonly moment: ReactNode
}): JSX.Element {
  return (
    <li className="row gap-3 pad-row">
      <StatusGlyph status={status.kind} label={label} />
      <div className="grow">
        <p className="clamp soft break pretty">
          <b className="medium ink">{name}</b>: {message}{' '}
          <span className="faint num">{moment}</span>
        </p>
      </div>
      <ButtonLink
        size="small"
        href={`/servers/${installationId}/log`}
        aria-label={`View log, ${name}`}
      >
        View log
      </ButtonLink>
    </li>
  )
}
