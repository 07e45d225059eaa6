import { clipboard, dialog, shell } from 'electron'

import { openOwnLink } from '../adapters/open-own-link'
import type { LockHolder } from '../core/lifecycle/profile-lock'

const LINK_LOST = 'The link was not opened. Quit the other Patchbay, then open the link again.'

/**
 * Reports that the profile is in use, and offers to open the running Patchbay if it has an address. A link that the system opened this one
 * with is lost; `hasLink` adds that.
 */
export async function showRunning(
  profileDir: string,
  { link }: LockHolder,
  hasLink: boolean,
): Promise<void> {
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
  if (isLoopback && response === 0) await openRunning(profileDir, link)
}

async function openRunning(profileDir: string, link: string): Promise<void> {
  const by = await openOwnLink({ profileDir, link }, open)
  if (by === 'page') return
  await clipboard.writeText(link)
  await dialog.showMessageBox({
    type: 'info',
    message: 'Paste the link into your browser',
    detail:
      'The link was copied. Paste it into the address bar of the page that opened, within a minute.',
    buttons: ['Close'],
  })
}

async function open(target: string): Promise<void> {
  if (target.startsWith('http:')) return shell.openExternal(target)
  const reason = await shell.openPath(target)
  if (reason !== '') throw new Error(reason)
}
