import type { ReactElement } from 'react'

import type { ParseNotice } from '../../../../src-shared/domain/server-json/server-json'
import { visibleText } from '../../../ui/text/visible-text'
import { noticeWord } from './notice-messages'

const MOST = 50

/** What the reading of a server.json set aside or completed, place by place. */
export function NoticeList({
  notices,
}: {
  readonly notices: readonly ParseNotice[]
}): ReactElement | null {
  if (notices.length === 0) return null
  return (
    <ul
      className="low scroll stack gap-1 above-2 soft small break"
      tabIndex={0}
      aria-label="Ignored"
    >
      {notices.slice(0, MOST).map((notice, index) => (
        <li key={index}>
          {noticeWord(notice)}: <code>{visibleText(notice.path)}</code>:{' '}
          {visibleText(notice.message)}
        </li>
      ))}
      {notices.length > MOST ? <li>and {notices.length - MOST} more</li> : null}
    </ul>
  )
}
