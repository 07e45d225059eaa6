import { dialog } from 'electron'

import type { LockHolder } from '../core/lifecycle/profile-lock'
import { openInBrowser } from './open-in-browser'

const LINK_LOST = 'The link was not opened. Quit the other Patchbay, then open the link again.'

/**
 * Says that the profile is in use, and offers to open the Patchbay that uses it where it has an address. A link that
 * the system opened this one with is lost: `hasLink` says so too.
 */
export async function showRunning({ link }: LockHolder, hasLink: boolean): Promise<void> {
  const isLoopback = link !== undefined && new URL(link).hostname === '127.0.0.1'
  const { response } = await dialog.showMessageBox({
    type: 'info',
    message: 'Patchbay is already running',
    detail: [
      isLoopback
        ? 'Patchbay is open in the browser with the same settings.'
        : 'Another Patchbay uses the same settings.',
      ...(hasLink ? [LINK_LOST] : []),
    ].join(' '),
    buttons: isLoopback ? ['Open', 'Close'] : ['Close'],
    cancelId: isLoopback ? 1 : 0,
  })
  if (isLoopback && response === 0) await openInBrowser(link)
}
