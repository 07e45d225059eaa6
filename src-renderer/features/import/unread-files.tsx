import type { JSX } from 'react'

import type { UnreadHost } from '../../../src-shared/domain/agents/host'
import { Banner } from '../../ui/layout/banner'
import { counted } from '../../ui/text/format'
import { visibleText } from '../../ui/text/visible-text'

/** The files that nothing can be imported from, each with its reason. */
export function UnreadFiles({
  unread,
}: {
  readonly unread: readonly UnreadHost[]
}): JSX.Element | null {
  if (unread.length === 0) return null
  return (
    <div className="low pad-bar fixed scroll">
      <Banner severity="warn" title={`Can’t read ${counted(unread.length, 'file')}.`}>
        <ul className="break" aria-label="Unreadable files">
          {unread.map(({ hostName, path, problem }) => (
            <li key={`${hostName} ${path} ${problem}`}>
              {visibleText(hostName)}, <code>{visibleText(path)}</code>: {visibleText(problem)}
            </li>
          ))}
        </ul>
      </Banner>
    </div>
  )
}
