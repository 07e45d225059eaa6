import type { ParseNotice } from '../../../../src-shared/domain/server-json/server-json'
import { counted } from '../../../ui/text/format'

/** What became of the place of a notice, as the word before it. */
export function noticeWord({ code }: Pick<ParseNotice, 'code'>): string {
  return code === 'implied-variable' ? 'undeclared' : 'ignored'
}

/** How much of the metadata was set aside, and how much is asked for without it, in one line. */
export function noticeSummary(notices: readonly Pick<ParseNotice, 'code'>[]): string {
  const asked = notices.filter(({ code }) => code === 'implied-variable').length
  const aside = notices.length - asked
  return [
    aside === 0 ? '' : `${counted(aside, 'metadata entry', 'metadata entries')} ignored`,
    asked === 0 ? '' : counted(asked, 'undeclared setting'),
  ]
    .filter((part) => part !== '')
    .join(', ')
}
