import type { ParseNotice } from '../../../../src-shared/domain/server-json/server-json'
import { counted } from '../../../ui/text/elapsed'

/** What became of the place of a notice, as the word before it. */
export function noticeWord({ code }: Pick<ParseNotice, 'code'>): string {
  return code === 'implied-variable' ? 'asked for' : 'set aside'
}

/** How much of the metadata was set aside, and how much is asked for without it, in one line. */
export function noticeSummary(notices: readonly Pick<ParseNotice, 'code'>[]): string {
  const asked = notices.filter(({ code }) => code === 'implied-variable').length
  const aside = notices.length - asked
  return [
    aside === 0
      ? ''
      : `${counted(aside, 'thing')} in its metadata ${aside === 1 ? 'was' : 'were'} set aside`,
    asked === 0
      ? ''
      : `${counted(asked, 'thing')} that its metadata does not declare ${asked === 1 ? 'is' : 'are'} asked for`,
  ]
    .filter((part) => part !== '')
    .join('; ')
}
