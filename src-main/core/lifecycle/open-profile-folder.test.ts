import { spawnSync } from 'node:child_process'
import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { tempFolder } from '../../../e2e/fixtures/temp-folder'
import { openProfileFolder } from './open-profile-folder'

const isRoot = process.getuid?.() === 0
/** A folder that even root can't write to; undefined if there is none. */
function readOnlyFolder(): string | undefined {
  const folder = tempFolder('read-only')
  if (!isRoot) {
    chmodSync(folder, 0o555)
    return folder
  }
  return process.platform === 'linux' && spawnSync('test', ['-d', '/proc/self']).status === 0
    ? '/proc/self'
    : undefined
}

describe.skipIf(process.platform === 'win32')('D8: the profile folder', () => {
  it('is created for this account alone, and left empty', () => {
    const folder = join(tempFolder('profile'), 'a', 'b')
    openProfileFolder(folder)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(readdirSync(folder)).toEqual([])
    openProfileFolder(folder)
  })

  it("is named with the reason and a hint if it isn't writable", () => {
    const file = join(tempFolder('profile'), 'file')
    writeFileSync(file, '')
    const folders = [file, join(file, 'below'), readOnlyFolder()]
    for (const folder of folders.filter((one) => one !== undefined)) {
      const rejected = expect.objectContaining({
        code: 'SETTINGS_UNWRITABLE',
        message: expect.stringContaining(folder) as string,
        hint: expect.stringContaining('--profile FOLDER') as string,
      }) as Error
      expect(() => openProfileFolder(folder)).toThrow(rejected)
    }
    expect(() => openProfileFolder(file)).toThrow('(a file is in its place)')
  })
})
