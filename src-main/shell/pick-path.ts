import { dirname } from 'node:path'

import type { BrowserWindow, OpenDialogOptions } from 'electron'
import { dialog } from 'electron'

import type { DesktopMemory } from './desktop-memory'

/**
 * Lets the user pick a folder or file; resolves to its absolute path, or null if canceled. The dialog starts in the last picked folder,
 * because Electron always starts in Downloads.
 */
export async function pickPath(
  kind: 'folder' | 'file',
  parent: BrowserWindow | undefined,
  memory: DesktopMemory,
): Promise<string | null> {
  const { pickedFolder } = memory.value
  const options: OpenDialogOptions = {
    title: kind === 'folder' ? 'Choose a folder' : 'Choose a file',
    properties: [kind === 'folder' ? 'openDirectory' : 'openFile', 'showHiddenFiles'],
    ...(pickedFolder !== undefined && { defaultPath: pickedFolder }),
  }
  const chosen = await (parent
    ? dialog.showOpenDialog(parent, options)
    : dialog.showOpenDialog(options))
  const [path] = chosen.filePaths
  if (path === undefined) return null
  memory.store({ pickedFolder: kind === 'folder' ? path : dirname(path) })
  return path
}
