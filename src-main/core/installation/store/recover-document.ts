import { constants, copyFileSync, lstatSync, readFileSync, renameSync } from 'node:fs'
import { dirname, join, parse } from 'node:path'

import * as z from 'zod'

import { AppError } from '../../../../src-shared/domain/app-error'
import { errorMessage } from '../../../../src-shared/domain/error-message'
import type { AppNotice } from '../../../../src-shared/domain/state/app-state'
import type { Clock } from '../../ports'
import { writeOwnText } from '../../storage/own-file'
import { DOCUMENT_VERSION } from './document-over-conf'
import { decodeDocument, faultOf, readLastGood, writeLastGood } from './last-good'

const Versioned = z.object({ version: z.unknown().optional() })
const NO_FILE = 'The settings file is a link to another place.'

/**
 * Makes a settings file usable before the store opens it, and returns notices. A file that isn't a JSON object is saved as
 * `NAME.corrupt-TIME.json` in its folder and replaced by the last good copy, if any; a file of another version is copied to
 * `NAME.version-N.json`. A missing file is valid. Throws an `AppError` if the file can't be read or moved.
 */
export function recoverDocument(file: string, clock: Clock = Date): readonly AppNotice[] {
  const bytes = readIfThere(file)
  if (bytes === undefined) return []
  const text = bytes === 'link' ? '' : decodeDocument(bytes)
  const reason = bytes === 'link' ? NO_FILE : faultOf(text)
  if (reason !== undefined) return replace(file, reason, bytes === 'link', clock)
  if (!Buffer.from(text).equals(bytes as Buffer))
    attempt(file, 'rewritten', () => writeOwnText(file, text))
  writeLastGood(file, text)
  return keepOtherVersion(file, text)
}

/** Replaces a damaged file with the last good copy; the damaged one stays in the folder. */
function replace(
  file: string,
  reason: string,
  isLink: boolean,
  clock: Clock,
): readonly AppNotice[] {
  // ISO time in UTC; Windows allows no colon in a file name.
  const time = new Date(clock.now()).toISOString().replaceAll(':', '-')
  const movedTo = siblingPath(file, `corrupt-${time}`)
  const lastGood = readLastGood(file)
  attempt(file, 'moved', () => {
    // Copied, so that an interruption leaves a file in place.
    if (lastGood === undefined || isLink) renameSync(file, movedTo)
    else copyFileSync(file, movedTo, constants.COPYFILE_EXCL)
    if (lastGood !== undefined) writeOwnText(file, lastGood, true)
  })
  const saved = `The damaged file was saved as ${movedTo}.`
  return [
    {
      noticeId: 'settings-recovered',
      severity: 'warn',
      ...(lastGood === undefined
        ? {
            title: 'Patchbay started with empty settings',
            message: `${reason} ${saved} To use it again, quit Patchbay, fix the file, and restore its name.`,
          }
        : {
            title: 'Patchbay restored its last good settings',
            message: `${reason} ${saved} Check that your servers and preferences are as you left them.`,
          }),
    },
    ...(lastGood === undefined ? [] : keepOtherVersion(file, lastGood)),
  ]
}

/** Another version's data may have another meaning, or more than this version reads. */
function keepOtherVersion(file: string, text: string): readonly AppNotice[] {
  const { version = DOCUMENT_VERSION } = Versioned.parse(JSON.parse(text) as object)
  if (typeof version === 'number' && version <= DOCUMENT_VERSION) return []
  const name = `version-${String(version)
    .replaceAll(/[^\w.-]/gu, '_')
    .slice(0, 32)}`
  const copy = siblingPath(file, name)
  attempt(file, 'copied', () => writeOwnText(copy, text))
  return [
    {
      noticeId: 'settings-version',
      severity: 'warn',
      title: 'The settings are from a newer Patchbay',
      message: `This version uses what it can read of them. A copy was saved as ${copy}. Update Patchbay to use everything again.`,
    },
  ]
}

function siblingPath(file: string, what: string): string {
  return join(dirname(file), `${parse(file).name}.${what}.json`)
}

/** A link leads out of the profile, to a file that isn't Patchbay's own. */
function readIfThere(file: string): Buffer | 'link' | undefined {
  try {
    return lstatSync(file).isSymbolicLink() ? 'link' : readFileSync(file)
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined
    throw unusable(file, 'couldn’t be read', cause)
  }
}

function attempt(file: string, what: string, run: () => void): void {
  try {
    run()
  } catch (cause) {
    throw unusable(file, `couldn’t be ${what}`, cause)
  }
}

function unusable(file: string, what: string, cause: unknown): AppError {
  const reason = errorMessage(cause)
  return new AppError('INTERNAL', `The settings file ${file} ${what}: ${reason}.`, {
    cause,
    hint: 'Check that you can read and write the file and its folder, then start Patchbay again.',
  })
}
