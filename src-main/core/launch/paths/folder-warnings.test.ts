import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, describe, expect, it } from 'vitest'

import { readEnvFile } from '../../import/read-server'
import { folderWarnings } from './check-path'

const folder = mkdtempSync(join(tmpdir(), 'patchbay-folder-'))
const file = join(folder, 'a file.txt')
writeFileSync(file, 'A=1')
afterAll(() => rmSync(folder, { recursive: true }))

// Outside Windows these paths exist, so they are skipped only for their two slashes.
const REMOTE = [`/${file}`, String.raw`\\server\share`, '//server/share']

describe('warnings about a working folder', () => {
  it("are absent if it exists, isn't set, or isn't absolute", async () => {
    for (const cwd of [folder, ` ${folder} `, undefined, '', 'notes'])
      expect(await folderWarnings(cwd)).toEqual([])
  })

  it('name a file, and a missing folder', async () => {
    expect(await folderWarnings(file)).toEqual([
      `${file} isn’t a folder. The server can’t run there.`,
    ])
    expect(await folderWarnings(join(folder, 'no such'))).toEqual([
      `The folder ${join(folder, 'no such')} doesn’t exist or you can’t access it. Create it before you start the server.`,
    ])
  })

  it.skipIf(process.platform === 'win32')("name a folder that can't be checked", async () => {
    const link = join(folder, 'link to itself')
    symlinkSync(link, link)
    expect(await folderWarnings(link)).toEqual([`The folder ${link} couldn’t be checked.`])
  })

  it('never access another computer, on Windows', async () => {
    for (const cwd of REMOTE) expect(await folderWarnings(cwd, 'win32')).toEqual([])
  })
})

describe('a file of variables', () => {
  it("isn't read from another computer, on Windows", async () => {
    for (const path of REMOTE)
      expect(await readEnvFile(path, 'win32')).toEqual({
        kind: 'failed',
        problem: `${path} is on another computer and can’t be read from there.`,
      })
  })

  it.skipIf(process.platform === 'win32')('is read with two slashes on other systems', async () => {
    expect(await readEnvFile(`/${file}`, 'linux')).toEqual({
      kind: 'read',
      pairs: [{ name: 'A', text: '1' }],
    })
  })
})
