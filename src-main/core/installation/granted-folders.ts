import { stat } from 'node:fs/promises'
import { isAbsolute, resolve } from 'node:path'

import { AppError } from '../../../src-shared/domain/app-error'

/** Paths of folders as they are kept, each once. Rejects with INVALID_VALUES for the first that is no folder here. */
export async function grantedFolders(paths: readonly string[]): Promise<string[]> {
  const folders = await Promise.all(paths.map(grantedFolder))
  return [...new Set(folders)]
}

async function grantedFolder(path: string): Promise<string> {
  if (path.includes('\0') || !isAbsolute(path))
    throw notGranted(path, 'is not a whole path', 'Give it from the root of the disk on.')
  const folder = resolve(path)
  const found = await stat(folder).catch((cause: unknown) => {
    throw notGranted(path, 'cannot be read', 'Check that the folder is there.', cause)
  })
  if (!found.isDirectory()) throw notGranted(path, 'is no folder', 'Choose the folder it is in.')
  return folder
}

function notGranted(path: string, problem: string, hint: string, cause?: unknown): AppError {
  return new AppError(
    'INVALID_VALUES',
    `Nothing was saved: ${path.replaceAll('\0', '')} ${problem}.`,
    {
      hint,
      cause,
    },
  )
}
