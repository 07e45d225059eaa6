import type { ReactElement } from 'react'

import type { ParseNotice } from '../../../src-shared/domain/server-json'

const MOST = 50

/** What the reading of a server.json set aside, place by place. */
export function NoticeList({
  notices,
}: {
  readonly notices: readonly ParseNotice[]
}): ReactElement | null {
  if (notices.length === 0) return null
  return (
    <ul className="notices" tabIndex={0} aria-label="Set aside">
      {notices.slice(0, MOST).map(({ path, message }, index) => (
        <li key={index}>
          set aside: <code>{path}</code>: {message}
        </li>
      ))}
      {notices.length > MOST ? <li>and {notices.length - MOST} more</li> : null}
    </ul>
  )
}
