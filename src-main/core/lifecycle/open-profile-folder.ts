import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { AppError } from '../../../src-shared/domain/app-error'

/** Creates the profile folder for this account alone if needed. Throws SETTINGS_UNWRITABLE if it isn't writable. */
export function openProfileFolder(profileDir: string): void {
  const probe = join(profileDir, `.probe-${randomBytes(6).toString('hex')}`)
  try {
    mkdirSync(profileDir, { recursive: true, mode: 0o700 })
    writeFileSync(probe, '', { flag: 'wx', mode: 0o600 })
    rmSync(probe)
  } catch (cause) {
    const { code = 'unknown reason' } = cause as NodeJS.ErrnoException
    throw new AppError(
      'SETTINGS_UNWRITABLE',
      `Patchbay can’t write to its profile folder ${profileDir} (${REASONS[code] ?? code}).`,
      {
        cause,
        hint: 'Check the rights of the folder and the space of its disk, or start with another folder: --profile FOLDER.',
      },
    )
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a file is in its place',
  EEXIST: 'a file is in its place',
}
