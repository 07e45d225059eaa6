import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs'

import { describe, expect, it } from 'vitest'

import { ADD, AppFilesHarness } from '../../../../e2e/fixtures/app-files-harness'
import { tempFolder } from '../../../../e2e/fixtures/temp-folder'

const TEXT = '{ "mcpServers": { "files": { "command": "npx" } } }\n'

describe.runIf(process.platform !== 'win32')("D6: permissions and links of an app's file", () => {
  it('a read-only file is reported and never changed', async () => {
    const bench = new AppFilesHarness(tempFolder('hosts'))
    const path = bench.write('one.json', TEXT)
    const fileId = bench.fileId('one', 'one.json')
    chmodSync(path, 0o444)
    const { obstacle, previewHash } = await bench.editor.preview(fileId, ADD)
    expect(obstacle).toContain('read-only')
    await expect(bench.editor.apply(fileId, ADD, previewHash)).rejects.toMatchObject({
      code: 'HOST_FILE_UNWRITABLE',
    })
    expect(readFileSync(path, 'utf8')).toBe(TEXT)
    await bench.harness.refresh()
    expect(bench.harness.state.hosts[0]?.files[0]?.state).toEqual({
      ...{ kind: 'read', servers: 1, isReadOnly: true },
    })
  })

  it('a read-only folder is reported, for existing and new files', async () => {
    const bench = new AppFilesHarness(tempFolder('hosts'))
    const folder = bench.path('.three')
    mkdirSync(folder, { mode: 0o555 })
    const fileId = bench.fileId('three', '.three/three.json')
    expect((await bench.editor.preview(fileId, ADD)).obstacle).toContain(folder)
    await expect(bench.change(fileId)).rejects.toMatchObject({ code: 'HOST_FILE_UNWRITABLE' })
    expect(readdirSync(folder)).toEqual([])
    chmodSync(folder, 0o755)
  })

  it('a link stays, and its target is written', async () => {
    const bench = new AppFilesHarness(tempFolder('hosts'))
    const real = bench.write('dotfiles/one.json', TEXT)
    const path = bench.path('one.json')
    symlinkSync(real, path)
    const fileId = bench.fileId('one', 'one.json')
    expect(await bench.editor.preview(fileId, ADD)).toMatchObject({
      ...{ path, realPath: realpathSync(real) },
    })
    await bench.change(fileId)
    expect(lstatSync(path).isSymbolicLink()).toBe(true)
    expect(lstatSync(real).isFile()).toBe(true)
    expect(readFileSync(real, 'utf8')).toContain('added')
  })

  it.each([
    ['the file', 'one', 'one.json', 'one.json'],
    ['the folder of a new file', 'three', '.three/three.json', '.three'],
  ])('a link of %s is rejected if it leads elsewhere than in the preview', async (...of) => {
    const [, hostId, name, link] = of
    const bench = new AppFilesHarness(tempFolder('hosts'))
    const isFile = link === 'one.json'
    const places = ['seen', 'other'].map((folder) => {
      if (isFile) return bench.write(`${folder}/one.json`, TEXT)
      mkdirSync(bench.path(folder))
      return bench.path(folder)
    })
    const [seenPlace = '', otherPlace = ''] = places
    symlinkSync(seenPlace, bench.path(link))
    const fileId = bench.fileId(hostId, name)
    const shown = await bench.editor.preview(fileId, ADD)
    expect(shown.realPath).toContain(realpathSync(seenPlace))
    rmSync(bench.path(link))
    symlinkSync(otherPlace, bench.path(link))
    await expect(bench.editor.apply(fileId, ADD, shown.previewHash)).rejects.toMatchObject({
      code: 'HOST_FILE_CHANGED',
    })
    for (const place of places)
      if (isFile) expect(readFileSync(place, 'utf8')).toBe(TEXT)
      else expect(readdirSync(place)).toEqual([])
  })

  it("a change isn't undone in another file to which a link now leads", async () => {
    const bench = new AppFilesHarness(tempFolder('hosts'))
    const path = bench.path('one.json')
    symlinkSync(bench.write('seen/one.json', TEXT), path)
    const fileId = bench.fileId('one', 'one.json')
    await bench.change(fileId)
    const written = readFileSync(path, 'utf8')
    const other = bench.write('other/one.json', written)
    rmSync(path)
    symlinkSync(other, path)
    const [done] = bench.editor.changes()
    await expect(bench.editor.undo(done?.changeId ?? '')).rejects.toMatchObject({
      code: 'HOST_FILE_CHANGED',
    })
    expect(readFileSync(other, 'utf8')).toBe(written)
  })

  it.each([
    ['a broken link', (path: string) => symlinkSync('/nowhere/at/all', path)],
    ['a link to itself', (path: string) => symlinkSync(path, path)],
    ['a folder', (path: string) => mkdirSync(path)],
    ['a device', (path: string) => symlinkSync('/dev/zero', path)],
  ])('%s is reported and left', async (_, make) => {
    const bench = new AppFilesHarness(tempFolder('hosts'))
    make(bench.path('one.json'))
    const fileId = bench.fileId('one', 'one.json')
    expect((await bench.editor.preview(fileId, ADD)).obstacle).toContain('Can’t write to')
    await expect(bench.change(fileId)).rejects.toMatchObject({ code: 'HOST_FILE_UNWRITABLE' })
    await bench.harness.refresh()
    expect(bench.harness.state.hosts[0]?.files[0]?.state).toMatchObject({ kind: 'unreadable' })
  })
})
