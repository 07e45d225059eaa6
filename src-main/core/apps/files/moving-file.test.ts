import { readFileSync, writeFileSync } from 'node:fs'

import { describe, expect, it, vi } from 'vitest'

import { ADD } from '../../../../e2e/fixtures/app-files-harness'
import {
  editCustomServer,
  jsonAt,
  type OpenedFile,
  openFile,
} from '../../../../e2e/fixtures/two-file'
import type { HostEdit } from './change-plan'
import { FileFinder } from './found-file'

const TEXT = `{
  "mcpServers": { "files": { "command": "npx" } },
  "starts": 0
}
`

/** Lets the app rewrite its file `times` times, each time just before a change is written. */
function rewriting({ bench, path }: OpenedFile, times: number, from: RegExp, to: string): void {
  let left = times
  vi.spyOn(bench.clock, 'now').mockImplementation(() => {
    if (left-- > 0)
      writeFileSync(path, readFileSync(path, 'utf8').replace(from, to.replace('N', String(left))))
    return 0
  })
}

describe('D6: a file that its app keeps rewriting', () => {
  it('is changed as previewed if only other keys were written since', async () => {
    const { bench, path, fileId } = openFile('one', TEXT)
    const { previewHash } = await bench.editor.preview(fileId, ADD)
    editCustomServer(path, '"starts": 0', '"starts": 7, "tips": { "a": 7 }')
    await bench.editor.apply(fileId, ADD, previewHash)
    expect(readFileSync(path, 'utf8')).toBe(`{
  "mcpServers": { "files": { "command": "npx" }, "new": {"command":"added"} },
  "starts": 7, "tips": { "a": 7 }
}
`)
  })

  it('keeps what its app writes meanwhile, and undo restores the latest text', async () => {
    const opened = openFile('one', TEXT)
    const { bench, path, fileId } = opened
    const { previewHash } = await bench.editor.preview(fileId, ADD)
    rewriting(opened, 3, /"starts": \d+/u, '"starts": 10N')
    const { changeId } = await bench.editor.apply(fileId, ADD, previewHash)
    expect(jsonAt(path, 'starts')).toBe(100)
    expect(jsonAt(path, 'mcpServers', 'new')).toEqual({ command: 'added' })
    expect(bench.ledger.changes).toHaveLength(1)
    await bench.editor.undo(changeId)
    expect(readFileSync(path, 'utf8')).toBe(TEXT.replace('"starts": 0', '"starts": 100'))
  })

  it('is left alone if the list changes meanwhile', async () => {
    const opened = openFile('one', TEXT)
    const { bench, path, fileId } = opened
    const { previewHash } = await bench.editor.preview(fileId, ADD)
    rewriting(opened, 1, /npx/u, 'uvx')
    await expect(bench.editor.apply(fileId, ADD, previewHash)).rejects.toMatchObject({
      code: 'HOST_FILE_CHANGED',
    })
    expect(readFileSync(path, 'utf8')).toBe(TEXT.replace('npx', 'uvx'))
    expect(bench.ledger.changes).toEqual([])
  })

  it('is given up after a few failed tries', async () => {
    const opened = openFile('one', TEXT)
    const { bench, path, fileId } = opened
    const { previewHash } = await bench.editor.preview(fileId, ADD)
    rewriting(opened, 1_000, /"starts": \d+/u, '"starts": N')
    await expect(bench.editor.apply(fileId, ADD, previewHash)).rejects.toMatchObject({
      code: 'HOST_FILE_CHANGED',
    })
    expect(readFileSync(path, 'utf8')).not.toContain('added')
    expect(bench.ledger.changes).toEqual([])
  })

  it('is read when complete, not while its app has emptied it', async () => {
    const { bench, path, fileId } = openFile('one', '{ "mcpS')
    const finder = new FileFinder(process.platform)
    const find = finder.find.bind(finder)
    let reads = 0
    vi.spyOn(FileFinder.prototype, 'find').mockImplementation(async (place) => {
      const found = await find(place)
      reads += 1
      if (reads <= 2) writeFileSync(path, reads === 1 ? '' : TEXT)
      return found
    })
    const preview = await bench.editor.preview(fileId, ADD)
    vi.restoreAllMocks()
    expect(reads).toBe(3)
    expect(preview.obstacle).toBeUndefined()
    expect(preview.diff).not.toEqual([])
  })

  it("isn't treated as empty if it was emptied after the preview", async () => {
    const { bench, path, fileId } = openFile('one', '{ "starts": 1 }')
    const { previewHash } = await bench.editor.preview(fileId, ADD)
    writeFileSync(path, '')
    await expect(bench.editor.apply(fileId, ADD, previewHash)).rejects.toMatchObject({
      code: 'HOST_FILE_CHANGED',
    })
    expect(readFileSync(path, 'utf8')).toBe('')
  })

  it("gets the entry next to its app's content if the app created it after the preview", async () => {
    const { bench, path, fileId } = openFile('one')
    const { previewHash } = await bench.editor.preview(fileId, ADD)
    writeFileSync(path, '{ "starts": 1 }')
    await bench.editor.apply(fileId, ADD, previewHash)
    expect(jsonAt(path)).toEqual({ starts: 1, mcpServers: { new: { command: 'added' } } })
  })

  it.each([
    ['an added entry is removed', TEXT],
    ['a list created for it is removed, too', '{\n  "starts": 0\n}\n'],
    ['a repaired entry gets its earlier text', TEXT.replace('files', 'new')],
  ])('loses only the entry on undo: %s', async (_, text) => {
    const { bench, path, fileId } = openFile('one', text)
    const changeId = await bench.change(fileId)
    editCustomServer(path, '"starts": 0', '"starts": 9')
    await bench.editor.undo(changeId)
    expect(readFileSync(path, 'utf8')).toBe(text.replace('"starts": 0', '"starts": 9'))
    expect(bench.editor.changes()).toEqual([])
  })

  it('keeps on undo what its app wrote since the file was created', async () => {
    const { bench, path, fileId } = openFile('one')
    const changeId = await bench.change(fileId)
    const made = readFileSync(path, 'utf8')
    writeFileSync(path, made.replace('{', '{ "starts": 3,'))
    await bench.editor.undo(changeId)
    expect(jsonAt(path)).toEqual({ starts: 3 })
  })

  it('gets a removed entry back on undo', async () => {
    const { bench, path, fileId } = openFile('one', TEXT)
    const edit: HostEdit = {
      kind: 'disconnect',
      entryNames: ['files'],
      edit: (document) => document.without('files'),
    }
    const changeId = await bench.change(fileId, edit)
    editCustomServer(path, '"starts": 0', '"starts": 9')
    await bench.editor.undo(changeId)
    expect(jsonAt(path)).toEqual({ mcpServers: { files: { command: 'npx' } }, starts: 9 })
  })
})
