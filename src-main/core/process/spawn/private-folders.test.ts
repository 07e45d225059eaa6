import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { pause } from '../../../../e2e/fixtures/pause'
import { PrivateFolders } from './private-folders'

let home: string
let root: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'patchbay-private-'))
  root = join(home, 'scratch')
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

describe('B8: folders for commands', () => {
  it('are empty, private to this account, and removed with their content', async () => {
    const { path, remove } = await new PrivateFolders(root).create('setup')
    expect(readdirSync(path)).toEqual([])
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o700)
    mkdirSync(join(path, 'deep'))
    writeFileSync(join(path, 'deep', 'file'), '')
    await remove()
    expect(readdirSync(root)).toEqual([])
    await remove()
  })

  it('left by a killed run are removed once its processes are gone, and nothing else is', async () => {
    const other = join(home, 'other')
    mkdirSync(join(root, 'patchbay-setup-abc', 'deep'), { recursive: true })
    writeFileSync(join(root, 'patchbay-setup-abc', 'deep', 'file'), '')
    mkdirSync(join(root, 'mine'))
    writeFileSync(join(root, 'patchbay-file'), '')
    mkdirSync(other)
    writeFileSync(join(other, 'kept'), '')
    symlinkSync(other, join(root, 'patchbay-setup-abc', 'link'))
    symlinkSync(other, join(root, 'patchbay-link'))
    const gone = Promise.withResolvers<undefined>()
    const folders = new PrivateFolders(
      root,
      gone.promise.then(() => undefined),
    )
    const swept = folders.sweep()
    const created = folders.create('fetch')
    await pause(100)
    expect(existsSync(join(root, 'patchbay-setup-abc'))).toBe(true)
    gone.resolve(undefined)
    await swept
    const { path } = await created
    await folders.sweep()
    expect(readdirSync(root).toSorted()).toEqual(
      ['mine', path.slice(root.length + 1), 'patchbay-file', 'patchbay-link'].toSorted(),
    )
    expect(readdirSync(other)).toEqual(['kept'])
  })

  it('are not removed through a link in their place', async () => {
    const other = join(home, 'other')
    mkdirSync(join(other, 'patchbay-setup-abc'), { recursive: true })
    symlinkSync(other, root)
    await new PrivateFolders(root).sweep()
    expect(readdirSync(other)).toEqual(['patchbay-setup-abc'])
  })

  it('that never existed are no failure', async () => {
    await expect(new PrivateFolders(root).sweep()).resolves.toBeUndefined()
    expect(existsSync(root)).toBe(false)
  })

  it('are removed two hundred at a time', async () => {
    for (let count = 0; count < 210; count += 1)
      mkdirSync(join(root, `patchbay-fetch-${String(count)}`), { recursive: true })
    await new PrivateFolders(root).sweep()
    expect(readdirSync(root)).toHaveLength(10)
    await new PrivateFolders(root).sweep()
    expect(readdirSync(root)).toHaveLength(0)
  })
})
