import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'

import { describe, expect, it } from 'vitest'

import { tempFolder } from '../../../../e2e/fixtures/temp-folder'
import { readHostFile } from './read-host-file'
import { type HostFileWrite, writeHostFile } from './write-host-file'

/** A file with the content "old", and a write that replaces it. */
async function existing(name: string, bytes = Buffer.from('new')): Promise<HostFileWrite> {
  const path = join(tempFolder('hosts'), name)
  writeFileSync(path, 'old')
  const { realPath, hash } = await readHostFile(path)
  return { path, realPath, before: hash, bytes }
}

describe("D6: a failed write of an app's file", () => {
  it('leaves the old bytes, and names the system error', async () => {
    // The name of the temporary file is too long for the disk.
    const write = await existing('a'.repeat(240))
    await expect(writeHostFile(write)).rejects.toMatchObject({
      code: 'HOST_FILE_UNWRITABLE',
      message: `Can’t write to ${write.path}. System error: ENAMETOOLONG.`,
      hint: 'Check that you can write to the file, or edit it yourself.',
    })
    expect(readFileSync(write.path, 'utf8')).toBe('old')
  })

  it('leaves what the app wrote meanwhile, and no temporary file', async () => {
    const write = await existing('a.json', Buffer.alloc(8 * 1024 * 1024))
    const folder = join(write.path, '..')
    const settled = new Set<unknown>()
    const outcome = writeHostFile(write)
      .catch((reason: unknown) => reason)
      .finally(() => settled.add('write'))
    while (settled.size === 0 && readdirSync(folder).length === 1) await setImmediate()
    writeFileSync(write.path, 'of the app')
    expect(await outcome).toMatchObject({ code: 'HOST_FILE_CHANGED' })
    expect(readFileSync(write.path, 'utf8')).toBe('of the app')
    expect(readdirSync(folder)).toEqual(['a.json'])
  })

  it('leaves a file that became unreadable since the preview', async () => {
    const write = await existing('a.json')
    writeFileSync(write.path, Buffer.alloc(65 * 1024 * 1024))
    await expect(writeHostFile(write)).rejects.toMatchObject({
      code: 'HOST_FILE_UNWRITABLE',
      message: `Can’t write to ${write.path}. The file is larger than 64 MB.`,
    })
    expect(readdirSync(join(write.path, '..'))).toEqual(['a.json'])
  })
})
