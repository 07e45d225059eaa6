import { existsSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'

import type { AppNotice } from '../../../src-shared/domain/state/app-state'
import { messageOf } from '../failure/describe-failure'
import { OWN_NAMES, WINDOW } from './own-names'

/** Chromium's own links stay, and the settings file is looked at by itself. */
const OWN = OWN_NAMES.filter((own) => own !== WINDOW && !own.names.test('settings.json'))

/**
 * Renames links in the place of Patchbay's own files and folders, and of what is directly in them: nothing is read or written
 * where they lead. To be called before anything opens the profile. Throws the system's error where the folder can't be read.
 */
export function putLinksAside(profileDir: string): readonly AppNotice[] {
  const links = linksIn(profileDir, (name) => OWN.some(({ names }) => names.test(name)))
  const aside: string[] = []
  const failed: string[] = []
  for (const path of links) {
    try {
      renameSync(path, freeName(path))
      aside.push(path)
    } catch (error) {
      failed.push(`${path} (${messageOf(error)})`)
    }
  }
  if (failed.length > 0)
    throw new Error(`Links in the profile folder couldn’t be renamed: ${failed.join(', ')}`)
  if (aside.length === 0) return []
  return [
    {
      noticeId: 'profile-links',
      severity: 'warn',
      title: 'Links in the profile folder aren’t used',
      message: `Patchbay follows no link among its own files, so it renamed these and started without what they lead to: ${aside.join(', ')}. To use that, move it in their place.`,
    },
  ]
}

function linksIn(folder: string, isOwn: (name: string) => boolean): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (!isOwn(entry.name)) return []
    const path = join(folder, entry.name)
    if (entry.isSymbolicLink()) return [path]
    return entry.isDirectory() ? linksDirectlyIn(path) : []
  })
}

function linksDirectlyIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isSymbolicLink() && !/\.link(?:-\d+)?$/u.test(entry.name))
    .map(({ name }) => join(folder, name))
}

function freeName(path: string): string {
  for (let number = 1; ; number += 1) {
    const name = `${path}.link${number === 1 ? '' : `-${String(number)}`}`
    if (!existsSync(name)) return name
  }
}
