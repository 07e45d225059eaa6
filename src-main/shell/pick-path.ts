import type { BrowserWindow, OpenDialogOptions } from 'electron'
import { dialog } from 'electron'

/** Lets the person choose a folder or file; resolves to its absolute path, or null when they cancelled. */
export async function pickPath(
  kind: 'folder' | 'file',
  parent: BrowserWindow | undefined,
): Promise<string | null> {
  const options: OpenDialogOptions = {
    properties: [kind === 'folder' ? 'openDirectory' : 'openFile', 'showHiddenFiles'],
  }
  const chosen = await (parent
    ? dialog.showOpenDialog(parent, options)
    : dialog.showOpenDialog(options))
  return chosen.filePaths[0] ?? null
}
