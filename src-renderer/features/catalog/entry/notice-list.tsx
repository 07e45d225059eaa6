import type { ReactElement } from 'react'

import type { ParseNotice } from '../../../../src-shared/domain/server-json/server-json'
import { counted } from '../../../ui/text/format'
import { visibleText } from '../../../ui/text/untrusted-text'

const MOST = 50

/** The places in a server.json that the parser ignored or completed. */
export function NoticeList(props: {
  readonly notices: readonly ParseNotice[]
}): ReactElement | null {
  const { notices } = props
  if (notices.length === 0) return null
  return (
    <ul
      className="scroll mt-2 grid max-h-32 gap-1 text-small wrap-anywhere text-muted"
      tabIndex={0}
      aria-label="Ignored"
    >
      {notices.slice(0, MOST).map((notice, index) => (
        <li key={index}>
          {noticeLabel(notice)}: <code>{visibleText(notice.path)}</code>:{' '}
          {visibleText(notice.message)}
        </li>
      ))}
      {notices.length > MOST ? <li>and {notices.length - MOST} more</li> : null}
    </ul>
  )
}

/** Returns the label of a notice: what happened to its place. */
export function noticeLabel({ code }: Pick<ParseNotice, 'code'>): string {
  return code === 'implied-variable' ? 'undeclared' : 'ignored'
}

/** Returns in one line how many metadata entries were ignored and how many settings are undeclared. */
export function noticeSummary(notices: readonly Pick<ParseNotice, 'code'>[]): string {
  const undeclared = notices.filter(({ code }) => code === 'implied-variable').length
  const ignored = notices.length - undeclared
  return [
    ignored === 0 ? '' : `${counted(ignored, 'metadata entry', 'metadata entries')} ignored`,
    undeclared === 0 ? '' : counted(undeclared, 'undeclared setting'),
  ]
    .filter((part) => part !== '')
    .join(', ')
}
