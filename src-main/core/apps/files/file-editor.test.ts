import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { ADD, AppFilesHarness } from '../../../../e2e/fixtures/app-files-harness'
import { tempFolder } from '../../../../e2e/fixtures/temp-folder'
import { openFile } from '../../../../e2e/fixtures/two-file'
import type { HostEdit } from './change-plan'

const SECRET = 'sk-abcdefghijklmnop1234567890'
const ENTRY = { command: 'added' }
const TEXT = `{
  "mcpServers": {
    "files": {
      "command": "npx",
      "env": { "API_KEY": "${SECRET}" }
    }
  },
  "other": [1, 2]
}
`

const isPosix = process.platform !== 'win32'

const openBench = (text = TEXT) => openFile('one', text)

/** Text of every file in a folder. */
function allBytes(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'))
    .join('\n')
}

describe("D6: a change of an app's file", () => {
  it('is previewed without secrets, and writes nothing until applied', async () => {
    const { bench, path, fileId } = openBench()
    const preview = await bench.editor.preview(fileId, ADD)
    expect(readFileSync(path, 'utf8')).toBe(TEXT)
    expect(preview).toMatchObject({ fileId, path, isNew: false, entryNames: ['new'] })
    expect(preview.obstacle).toBeUndefined()
    const shown = preview.diff.map(({ text }) => text).join('\n')
    expect(shown).not.toContain(SECRET)
    expect(shown).toContain('"API_KEY": "••••••"')
    expect(preview.diff.filter(({ kind }) => kind === 'added').map(({ text }) => text)).toEqual([
      '    },',
      '    "new": {',
      '      "command": "added"',
    ])
  })

  it("warns that the app may not support the file's comments, which stay", async () => {
    const { bench, path, fileId } = openBench(TEXT.replace('"files"', '// mine\n    "files"'))
    expect((await bench.editor.preview(fileId, ADD)).notes).toEqual([
      'One may not read comments. They stay.',
    ])
    await bench.change(fileId)
    expect(readFileSync(path, 'utf8')).toContain('// mine')
  })

  it('changes only what was shown, keeps the mode and leaves no other files', async () => {
    const { bench, path, fileId } = openBench()
    if (isPosix) chmodSync(path, 0o640)
    await bench.change(fileId)
    const text = readFileSync(path, 'utf8')
    expect(JSON.parse(text)).toMatchObject({ mcpServers: { new: ENTRY, files: {} }, other: [1, 2] })
    expect(text).toContain('  "other": [1, 2]\n}\n')
    if (isPosix) expect(statSync(path).mode & 0o777).toBe(0o640)
    expect(readdirSync(bench.home)).toEqual(['one.json'])
  })

  it('is undone byte for byte, even by another run of Patchbay', async () => {
    const text = TEXT.replaceAll('\n', '\r\n')
    const { bench, path, fileId } = openBench(`\uFEFF${text}`)
    const before = readFileSync(path)
    const changeId = await bench.change(fileId)
    expect(readFileSync(path).equals(before)).toBe(false)
    const later = new AppFilesHarness(bench.folder, bench.secrets)
    expect(later.editor.changes().map((one) => one.changeId)).toEqual([changeId])
    await later.editor.undo(changeId)
    expect(readFileSync(path).equals(before)).toBe(true)
    expect(later.editor.changes()).toEqual([])
    await expect(later.editor.undo(changeId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('is rejected if the list has changed since the preview, and leaves it', async () => {
    const { bench, path, fileId } = openBench()
    const { previewHash } = await bench.editor.preview(fileId, ADD)
    const theirs = TEXT.replace('npx', 'uvx')
    writeFileSync(path, theirs)
    await expect(bench.editor.apply(fileId, ADD, previewHash)).rejects.toMatchObject({
      code: 'HOST_FILE_CHANGED',
      message: expect.stringContaining(path) as string,
    })
    expect(readFileSync(path, 'utf8')).toBe(theirs)
    expect(bench.ledger.changes).toEqual([])
  })

  it('is rejected if it would write anything else than the preview', async () => {
    const { bench, path, fileId } = openBench()
    const { previewHash } = await bench.editor.preview(fileId, ADD)
    const other: HostEdit = {
      ...ADD,
      edit: (document) => document.with('new', { command: 'evil' }),
    }
    await expect(bench.editor.apply(fileId, other, previewHash)).rejects.toMatchObject({
      code: 'HOST_FILE_CHANGED',
    })
    expect(readFileSync(path, 'utf8')).toBe(TEXT)
  })

  it("isn't undone if somebody has changed the list since", async () => {
    const { bench, path, fileId } = openBench()
    const changeId = await bench.change(fileId)
    const theirs = readFileSync(path, 'utf8').replace('npx', 'uvx')
    writeFileSync(path, theirs)
    await expect(bench.editor.undo(changeId)).rejects.toMatchObject({
      code: 'HOST_FILE_CHANGED',
      hint: expect.stringContaining('Disconnect') as string,
    })
    expect(readFileSync(path, 'utf8')).toBe(theirs)
  })

  it.each([
    ['doesn’t parse', '{ "mcpServers": {\n  "a": }\n', 'HOST_FILE_BROKEN', 'Line 2'],
    ['has another shape', '{ "mcpServers": ["a"] }', 'HOST_FILE_BROKEN', 'mcpServers'],
    ['isn’t UTF-8 text', Buffer.from([0x7b, 0xff, 0x7d]), 'HOST_FILE_BROKEN', 'UTF-8'],
    ['is too large', Buffer.alloc(4 * 1024 * 1024 + 1, ' '), 'HOST_FILE_UNWRITABLE', '4 MB'],
  ])('is never written into a file that %s', async (_, content, code, words) => {
    const { bench, path, fileId } = openBench()
    writeFileSync(path, content)
    const before = readFileSync(path)
    const preview = await bench.editor.preview(fileId, ADD)
    expect(preview).toMatchObject({ diff: [], obstacle: expect.stringContaining(words) as string })
    expect(preview.obstacle).toContain(path)
    await expect(bench.editor.apply(fileId, ADD, preview.previewHash)).rejects.toMatchObject({
      code,
    })
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  it('creates a missing file with its folder, for this account only, and deletes it again', async () => {
    const bench = new AppFilesHarness(tempFolder('hosts'))
    const fileId = bench.fileId('three', '.three/three.json')
    const path = bench.path('.three/three.json')
    expect(await bench.editor.preview(fileId, ADD)).toMatchObject({ isNew: true })
    expect(existsSync(dirname(path))).toBe(false)
    const changeId = await bench.change(fileId)
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ mcpServers: { new: ENTRY } })
    if (isPosix) {
      expect(statSync(path).mode & 0o777).toBe(0o600)
      expect(statSync(dirname(path)).mode & 0o777).toBe(0o700)
    }
    await bench.editor.undo(changeId)
    expect(existsSync(path)).toBe(false)
  })

  it('deletes leftovers of a killed process, except recent ones', async () => {
    const { bench, fileId } = openBench()
    const [old, young, foreign] = [
      bench.write('.one.json.patchbay-0123.tmp', 'x'),
      bench.write('.one.json.patchbay-4567.tmp', 'x'),
      bench.write('.two.json.patchbay-0123.tmp', 'x'),
    ]
    const longAgo = Date.now() / 1000 - 120
    for (const path of [old, foreign]) utimesSync(path, longAgo, longAgo)
    await bench.change(fileId)
    expect([old, young, foreign].map((path) => existsSync(path))).toEqual([false, true, true])
  })

  it('waits for the previous one', async () => {
    const { bench, path, fileId } = openBench()
    const { previewHash } = await bench.editor.preview(fileId, ADD)
    const tries = await Promise.allSettled(
      [1, 2, 3].map(() => bench.editor.apply(fileId, ADD, previewHash)),
    )
    expect(tries.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect(readFileSync(path, 'utf8').match(/"(?:files|new)"/gu)).toEqual(['"files"', '"new"'])
  })

  it("leaves none of the file's secrets in the profile folder in clear", async () => {
    const { bench, fileId } = openBench()
    await bench.change(fileId)
    const kept = allBytes(bench.profileDir)
    expect(readdirSync(join(bench.profileDir, 'host-backups'))).toHaveLength(1)
    expect(kept).not.toContain(SECRET)
    expect(kept).not.toContain('npx')
    if (isPosix) expect(statSync(join(bench.profileDir, 'host-backups')).mode & 0o777).toBe(0o700)
  })

  it('is backed up in memory only if there is no keychain', async () => {
    const folder = tempFolder('hosts')
    const bench = new AppFilesHarness(folder, undefined, { secretStore: 'memory' })
    const path = bench.write('one.json', TEXT)
    const changeId = await bench.change(bench.fileId('one', 'one.json'))
    expect(existsSync(join(bench.profileDir, 'host-backups'))).toBe(false)
    const later = new AppFilesHarness(folder, undefined, { secretStore: 'memory' })
    expect(later.editor.changes()).toEqual([])
    await bench.editor.undo(changeId)
    expect(readFileSync(path, 'utf8')).toBe(TEXT)
  })

  it('can be undone twenty times, and no other backup stays', async () => {
    const { bench, fileId } = openBench()
    for (let number = 0; number < 25; number += 1)
      await bench.change(fileId, {
        ...ADD,
        edit: (document) => document.with('new', { command: String(number) }),
      })
    expect(bench.editor.changes()).toHaveLength(20)
    // The oldest ones are deleted in the background.
    const backups = (): string[] => readdirSync(join(bench.profileDir, 'host-backups'))
    await expect.poll(backups).toHaveLength(20)
  })

  it('is never undone from a backup that was tampered with', async () => {
    const { bench, path, fileId } = openBench()
    const changeId = await bench.change(fileId)
    const after = readFileSync(path, 'utf8')
    const backup = join(bench.profileDir, 'host-backups', `${changeId}.bin`)
    const bytes = readFileSync(backup)
    bytes[40] = (bytes[40] ?? 0) ^ 1
    writeFileSync(backup, bytes)
    await expect(bench.editor.undo(changeId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(readFileSync(path, 'utf8')).toBe(after)
  })
})
