import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, describe, expect, it } from 'vitest'

import { readEnvFile } from '../../import/read-server'
import { folderWarnings } from './check-path'

const folder = mkdtempSync(join(tmpdir(), 'patchbay-folder-'))
const file = join(folder, 'a file.txt')
writeFileSync(file, 'A=1')
afterAll(() => rmSync(folder, { recursive: true }))

// On a machine that is not Windows, a path that is asked for is there: it must be left alone for its two slashes.
const REMOTE = [`/${file}`, String.raw`\\server\share`, '//server/share']

describe('what is said of a folder to run in', () => {
  it('is nothing for one that is there, for none, and for one that is not absolute', async () => {
    for (const cwd of [folder, ` ${folder} `, undefined, '', 'notes'])
      expect(await folderWarnings(cwd)).toEqual([])
  })

  it('says what is a file, and what is not there', async () => {
    expect(await folderWarnings(file)).toEqual([
      `${file} isn’t a folder. The server can’t run there.`,
    ])
    expect(await folderWarnings(join(folder, 'no such'))).toEqual([
      `The folder ${join(folder, 'no such')} doesn’t exist or you can’t access it. Create it before you start the server.`,
    ])
  })

  it('is not asked of another computer, on Windows', async () => {
    for (const cwd of REMOTE) expect(await folderWarnings(cwd, 'win32')).toEqual([])
  })
})

describe('a file of variables', () => {
  it('is not read from another computer, on Windows', async () => {
    for (const path of REMOTE)
      expect(await readEnvFile(path, 'win32')).toEqual({
        kind: 'failed',
        problem: `${path} is on another computer and can’t be read from there.`,
      })
  })

  it.skipIf(process.platform === 'win32')('is read with two slashes elsewhere', async () => {
    expect(await readEnvFile(`/${file}`, 'linux')).toEqual({
      kind: 'read',
      pairs: [{ name: 'A', text: '1' }],
    })
  })
})
