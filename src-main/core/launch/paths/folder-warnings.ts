import { posix, win32 } from 'node:path'

import { checkPath, isRemotePath } from './check-path'

/**
 * What the user should know of a folder to run in, as sentences; it is no reason to refuse it. Nothing is said of a
 * folder on another computer, which is not asked.
 */
export async function folderWarnings(
  cwd: string | undefined,
  platform: NodeJS.Platform = process.platform,
): Promise<string[]> {
  const folder = cwd?.trim() ?? ''
  const isAbsolute = (platform === 'win32' ? win32 : posix).isAbsolute(folder)
  if (!isAbsolute || isRemotePath(folder, platform)) return []
  switch (await checkPath(folder, platform)) {
    case 'folder':
      return []
    case 'file':
      return [`${folder} isn’t a folder. The server can’t run there.`]
    case 'missing':
    case 'denied':
      return [
        `The folder ${folder} doesn’t exist or you can’t access it. Create it before you start the server.`,
      ]
    case 'unknown':
      return [`The folder ${folder} couldn’t be checked.`]
  }
}
