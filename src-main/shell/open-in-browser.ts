import { clipboard, dialog, shell } from 'electron'

import { openLink } from '../adapters/open-own-link'
import { canOpenExternally } from './renderer-address'

/**
 * Opens an address in the user's browser. Rejects if the system has none. An address too long for Windows, such as a sign-in with many
 * scopes, is offered for copying.
 */
export async function openInBrowser(address: string): Promise<void> {
  if (canOpenExternally(address, process.platform)) {
    await openLink(address, () => shell.openExternal(address))
    return
  }
  const { response } = await dialog.showMessageBox({
    type: 'info',
    message: 'Copy the page’s address?',
    detail: `Windows can’t open an address this long. Paste it into your browser to open ${new URL(address).host}.`,
    buttons: ['Copy address', 'Cancel'],
    cancelId: 1,
  })
  if (response === 0) await clipboard.writeText(address)
}
