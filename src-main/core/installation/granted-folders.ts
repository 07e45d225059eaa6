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
    throw notGranted(
      path,
      'isn’t an absolute path',
      'Enter the full path, starting at the root of the disk.',
    )
  const folder = resolve(path)
  const found = await stat(folder).catch((cause: unknown) => {
    throw notGranted(path, 'can’t be read', 'Check that the folder exists.', cause)
  })
  if (!found.isDirectory())
    throw notGranted(path, 'isn’t a folder', 'Choose the folder that contains it.')
  return folder
}

function notGranted(path: string, problem: string, hint: string, cause?: unknown): AppError {
  return new AppError('INVALID_VALUES', `Not saved: ${path.replaceAll('\0', '')} ${problem}.`, {
    hint,
    cause,
  })
}
