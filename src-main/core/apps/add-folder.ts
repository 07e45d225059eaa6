import { isAbsolute, resolve } from 'node:path'

import { AppError } from '../../../src-shared/domain/app-error'
import { checkPath } from '../launch/paths/check-path'
import { type HostLedger, MOST_FOLDERS } from './files/host-ledger'

/** Notes a project folder that is looked into too. Rejects with INVALID_VALUES where it is none, or where there are too many. */
export async function addFolder(ledger: HostLedger, wanted: string): Promise<void> {
  const path = wanted.trim()
  if (!isAbsolute(path))
    throw refused(
      `${path} isn’t an absolute path.`,
      'Enter the full path, starting at the root of the disk.',
    )
  if ((await checkPath(path)) !== 'folder')
    throw refused(`${path} isn’t a readable folder.`, 'Choose a folder on this computer.')
  const folder = resolve(path)
  if (ledger.folders.includes(folder)) return
  if (ledger.folders.length >= MOST_FOLDERS)
    throw refused(
      `The limit of ${String(MOST_FOLDERS)} project folders is reached.`,
      'Remove a folder you no longer use.',
    )
  ledger.setFolders([...ledger.folders, folder])
}

function refused(message: string, hint: string): AppError {
  return new AppError('INVALID_VALUES', message, { hint })
}
