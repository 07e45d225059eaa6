import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { ADD, AppFilesHarness } from '../../../../e2e/fixtures/app-files-harness'
import { tempFolder } from '../../../../e2e/fixtures/temp-folder'
import { editCustomServer, jsonAt, openFile } from '../../../../e2e/fixtures/two-file'
import { memoryBackend } from '../../secrets/secret-vault'
import type { HostEdit } from './change-plan'

/** `gh` is turned off in these tests; `files` stays on. */
const TEXT = `{
  "mcpServers": {
    "gh": { "command": "npx", "env": { "TOKEN": "tok-aaaaaaaa" } },
    "files": { "command": "npx" }
  }
}
`
const SWITCHES: Readonly<Record<'one' | 'three', HostEdit['edit']>> = {
  // `one` has a member that turns off; from the others, entries are removed.
  one: (document) => document.withMember('gh', 'disabled', true),
  three: (document) => document.without('gh'),
}

/** Creates a file whose server was turned off. */
async function openOff(hostId: 'one' | 'three'): Promise<{
  readonly bench: AppFilesHarness
  readonly secrets: ReturnType<typeof memoryBackend>
  readonly path: string
  readonly changeId: string
}> {
  const secrets = memoryBackend()
  const empty = new AppFilesHarness(tempFolder('hosts'), secrets)
  const { bench, path, fileId } = openFile(hostId, TEXT, empty)
  const edit: HostEdit = { kind: 'switchOff', entryNames: ['gh'], edit: SWITCHES[hostId] }
  return { bench, secrets, path, changeId: await bench.change(fileId, edit) }
}

describe('D6: restoring turned-off servers', () => {
  it.each(['one', 'three'] as const)(
    'restores the bytes if the file is unchanged: %s',
    async (hostId) => {
      const { bench, path, changeId } = await openOff(hostId)
      await bench.editor.undoOrRestore(changeId)
      expect(readFileSync(path, 'utf8')).toBe(TEXT)
      expect(bench.editor.changes()).toEqual([])
    },
  )

  it.each(['one', 'three'] as const)(
    'restores only the servers if the file has changed: %s',
    async (hostId) => {
      const { bench, path, changeId } = await openOff(hostId)
      editCustomServer(path, '"files": { "command": "npx" }', '"files": { "command": "uvx" }')
      await expect(bench.connector.undo(changeId)).rejects.toMatchObject({
        code: 'HOST_FILE_CHANGED',
      })
      await bench.editor.undoOrRestore(changeId)
      expect(jsonAt(path, 'mcpServers')).toEqual({
        gh: { command: 'npx', env: { TOKEN: 'tok-aaaaaaaa' } },
        files: { command: 'uvx' },
      })
      expect(bench.editor.changes()).toEqual([])
    },
  )

  it('has nothing to write if somebody has restored the bytes', async () => {
    const { bench, path, changeId } = await openOff('one')
    writeFileSync(path, TEXT)
    const { ino } = statSync(path)
    await bench.editor.undo(changeId)
    expect(readFileSync(path, 'utf8')).toBe(TEXT)
    expect(statSync(path).ino).toBe(ino)
    expect(bench.editor.changes()).toEqual([])
  })

  it('leaves a file that somebody has broken, and succeeds once it is whole', async () => {
    const { bench, path, changeId } = await openOff('one')
    const off = readFileSync(path, 'utf8')
    writeFileSync(path, off.slice(0, -3))
    await expect(bench.editor.undo(changeId)).rejects.toMatchObject({ code: 'HOST_FILE_BROKEN' })
    expect(readFileSync(path, 'utf8')).toBe(off.slice(0, -3))
    writeFileSync(path, off)
    await bench.editor.undo(changeId)
    expect(readFileSync(path, 'utf8')).toBe(TEXT)
  })

  it('leaves a changed file if the change turned no server off', async () => {
    const { bench, path, fileId } = openFile('one', TEXT)
    const changeId = await bench.change(fileId, ADD)
    editCustomServer(path, '"files": { "command": "npx" }', '"files": { "command": "uvx" }')
    const changed = readFileSync(path, 'utf8')
    await expect(bench.editor.undoOrRestore(changeId)).rejects.toMatchObject({
      code: 'HOST_FILE_CHANGED',
    })
    expect(readFileSync(path, 'utf8')).toBe(changed)
    expect(bench.editor.changes()).toHaveLength(1)
  })

  it('skips a server that somebody has deleted, turned on or added again', async () => {
    const now = {
      one: [{ files: {} }, { gh: { command: 'npx', disabled: false } }],
      three: [{ gh: { command: 'npx', env: { TOKEN: 'tok-aaaaaaaa' } } }],
    } as const
    for (const hostId of ['one', 'three'] as const)
      for (const mcpServers of now[hostId]) {
        const { bench, path, changeId } = await openOff(hostId)
        const text = JSON.stringify({ mcpServers })
        writeFileSync(path, text)
        await bench.editor.undoOrRestore(changeId)
        expect(readFileSync(path, 'utf8')).toBe(text)
        expect(bench.editor.changes()).toEqual([])
      }
  })

  it('never replaces another server of the same name, and succeeds after that is gone', async () => {
    const { bench, path, changeId } = await openOff('three')
    const text = JSON.stringify({ mcpServers: { gh: { command: 'mine' } } })
    writeFileSync(path, text)
    await expect(bench.editor.undoOrRestore(changeId)).rejects.toMatchObject({
      ...{
        code: 'HOST_FILE_CHANGED',
        hint: 'Rename or delete that server in the file, then try again.',
      },
    })
    expect(readFileSync(path, 'utf8')).toBe(text)
    editCustomServer(path, '"gh"', '"other"')
    await bench.editor.undoOrRestore(changeId)
    expect(Object.keys(jsonAt(path, 'mcpServers') as object)).toEqual(['other', 'gh'])
  })

  it('skips a deleted file, but waits for one whose whole folder is gone', async () => {
    const { bench, path, changeId } = await openOff('three')
    rmSync(dirname(path), { recursive: true })
    await expect(bench.editor.undoOrRestore(changeId)).rejects.toMatchObject({
      code: 'HOST_FILE_CHANGED',
    })
    expect(bench.editor.changes()).toHaveLength(1)
    mkdirSync(dirname(path))
    await bench.editor.undoOrRestore(changeId)
    expect(bench.editor.changes()).toEqual([])
  })

  it('fails if the key is gone, creating no other; the change can be dropped', async () => {
    const { bench, secrets, path, changeId } = await openOff('three')
    for (const key of await secrets.keys()) await secrets.delete(key)
    editCustomServer(path, '"files"', '"others"')
    const { editor } = new AppFilesHarness(bench.folder, secrets)
    const copy = join(bench.profileDir, 'host-backups', `${changeId}.bin`)
    await expect(editor.undoOrRestore(changeId)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      hint: `To remove this change from the list, delete ${copy}.`,
    })
    expect(await secrets.keys()).toEqual([])
    expect(editor.changes()).toHaveLength(1)
    rmSync(copy)
    expect(editor.changes()).toEqual([])
  })

  it('fails while the key is unreadable, and succeeds afterwards', async () => {
    const { bench, secrets, path, changeId } = await openOff('three')
    editCustomServer(path, '"files"', '"others"')
    let isLocked = true
    const locking = {
      ...secrets,
      get: (key: string) => (isLocked ? Promise.reject(new Error('locked')) : secrets.get(key)),
    }
    const later = new AppFilesHarness(bench.folder, locking)
    await expect(later.editor.undoOrRestore(changeId)).rejects.toThrow('locked')
    isLocked = false
    await later.editor.undoOrRestore(changeId)
    expect(Object.keys(jsonAt(path, 'mcpServers') as object)).toEqual(['others', 'gh'])
  })
})
