import { shell } from 'electron'

import { openLink } from '../adapters/open-link'

/** Opens an address in the user's browser. Rejects where the system has none. */
export function openInBrowser(address: string): Promise<void> {
  return openLink(address, () => shell.openExternal(address))
}
