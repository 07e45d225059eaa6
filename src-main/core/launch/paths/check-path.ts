import { stat } from 'node:fs/promises'
import { posix, win32 } from 'node:path'

import type { PathKind } from '../../../../src-shared/domain/path-kind'
import { within } from '../../lifecycle/time-limit'

/** In ms; a network folder may be unreachable. */
const LIMIT_MS = 1_000

/** Whether a path may be on another computer: on Windows, accessing it would send the user's credentials there. */
export function isRemotePath(path: string, platform: NodeJS.Platform = process.platform): boolean {
  return platform === 'win32' && /^[\\/]{2}/.test(path)
}

/**
 * Checks an absolute path that a user types. Returns `unknown` for a relative path, and for one that doesn't respond within 1 s. A path on
 * another computer is unknown, too: accessing it would send the user's credentials. Never rejects.
 */
export async function checkPath(
  path: string,
  platform: NodeJS.Platform = process.platform,
): Promise<PathKind> {
  const isAbsolute = (platform === 'win32' ? win32 : posix).isAbsolute(path)
  if (!isAbsolute || isRemotePath(path, platform) || path.includes('\0')) return 'unknown'
  return within(LIMIT_MS, inspect(path), () => 'unknown')
}

async function inspect(path: string): Promise<PathKind> {
  try {
    const stats = await stat(path)
    if (stats.isDirectory()) return 'folder'
    return stats.isFile() ? 'file' : 'unknown'
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'missing'
    return code === 'EACCES' || code === 'EPERM' ? 'denied' : 'unknown'
  }
}

/**
 * Returns warnings about a working folder; none of them is a reason to reject it. Skips a folder on another computer, which is never
 * accessed.
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
