import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

import { AppFilesHarness } from '../../../e2e/fixtures/app-files-harness'
import { editCustomServer, jsonAt, openTwo, TWO_TEXT } from '../../../e2e/fixtures/two-file'

describe('D6: drift', () => {
  it('reports an edited entry, and a repair keeps additions', async () => {
    const { bench, path, fileId } = openTwo()
    const { agentId } = await bench.connect(fileId, 'Two')
    editCustomServer(path, '"type": "stdio",', '"type": "stdio", "env": { "A": "b" },')
    expect(await bench.states('two')).toEqual(['patchbay asWritten'])
    editCustomServer(path, '"/opt/patchbay"', '"/elsewhere/patchbay"')
    expect(await bench.states('two')).toEqual(['patchbay edited'])
    const agent = { kind: 'known', agentId } as const
    const { previewHash, diff } = await bench.connector.previewConnect({ fileId, agent })
    expect(diff.filter(({ kind }) => kind === 'removed')).toHaveLength(1)
    await bench.connector.connect({ fileId, agent, previewHash })
    const text = readFileSync(path, 'utf8')
    expect(text).toContain('"env": { "A": "b" }')
    expect(text).toContain('"/opt/patchbay"')
    expect(await bench.states('two')).toEqual(['patchbay asWritten'])
    expect(bench.agents.agents).toHaveLength(1)
  })

  it('reports a replaced entry, which a repair shows and replaces', async () => {
    const { bench, path, fileId } = openTwo()
    const { agentId } = await bench.connect(fileId, 'Two')
    writeFileSync(path, '{"app":{"servers":{"patchbay":{"command":"evil"}}}}')
    expect(await bench.states('two')).toEqual(['patchbay edited'])
    const agent = { kind: 'known', agentId } as const
    const { previewHash, entryNames } = await bench.connector.previewConnect({ fileId, agent })
    expect(entryNames).toEqual(['patchbay'])
    await bench.connector.connect({ fileId, agent, previewHash })
    expect(jsonAt(path, 'app')).toMatchObject({ servers: { patchbay: { type: 'stdio' } } })
    expect(await bench.states('two')).toEqual(['patchbay asWritten'])
  })

  it('reports another start command of Patchbay', async () => {
    const { bench, path, fileId } = openTwo()
    const { agentId } = await bench.connect(fileId, 'Two')
    const moved = new AppFilesHarness(bench.folder, bench.secrets, {
      ownCommand: { argv: ['/new/patchbay'], env: {} },
    })
    expect(await moved.states('two')).toEqual(['patchbay moved'])
    const agent = { kind: 'known', agentId } as const
    const { previewHash } = await moved.connector.previewConnect({ fileId, agent })
    await moved.connector.connect({ fileId, agent, previewHash })
    expect(readFileSync(path, 'utf8')).toContain('"/new/patchbay"')
    expect(await moved.states('two')).toEqual(['patchbay asWritten'])
    await moved.disconnect(fileId)
    expect(readFileSync(path, 'utf8')).toBe(TWO_TEXT)
  })

  it('reports a missing entry, file or agent, and an unreadable file', async () => {
    const { bench, path, fileId } = openTwo()
    const { agentId } = await bench.connect(fileId, 'Two')
    const connected = readFileSync(path, 'utf8')
    writeFileSync(path, TWO_TEXT)
    expect(await bench.states('two')).toEqual(['patchbay gone'])
    rmSync(path)
    expect(await bench.states('two')).toEqual(['patchbay gone'])
    writeFileSync(path, '{')
    expect(await bench.states('two')).toEqual(['patchbay unknown'])
    writeFileSync(path, connected)
    await bench.agents.remove(agentId)
    expect(await bench.states('two')).toEqual(['patchbay agentGone'])
    await bench.connect(fileId, 'Another')
    expect(await bench.states('two')).toEqual(['patchbay asWritten'])
  })

  it('reports an entry of another Patchbay, which is adopted only if its agent is known', async () => {
    const { bench, path, fileId } = openTwo()
    const foreign = '{ "command": "patchbay", "args": ["bridge", "--agent", "anna"] }'
    editCustomServer(path, '"files":', `"theirs": ${foreign}, "files":`)
    expect(await bench.states('two')).toEqual(['theirs foreign'])
    await expect(bench.connector.accept({ fileId, entryName: 'theirs' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await bench.connect(bench.fileId('one', 'one.json'), 'Anna')
    await bench.disconnect(fileId, 'theirs', true)
    expect(bench.agents.find('anna')).toBeDefined()
    expect(await bench.states('two')).toEqual([])
    editCustomServer(path, '"files":', `"theirs": ${foreign}, "files":`)
    await bench.connector.accept({ fileId, entryName: 'theirs' })
    expect(await bench.states('two')).toEqual(['theirs asWritten'])
  })

  it('is accepted with the entry as it is, or without it', async () => {
    const { bench, path, fileId } = openTwo()
    await bench.connect(fileId, 'Two')
    editCustomServer(path, '"/opt/patchbay"', '"/my/wrapper"')
    expect(await bench.states('two')).toEqual(['patchbay edited'])
    await bench.connector.accept({ fileId, entryName: 'patchbay' })
    const later = new AppFilesHarness(bench.folder, bench.secrets)
    expect(await later.states('two')).toEqual(['patchbay asWritten'])
    expect(readFileSync(path, 'utf8')).toContain('/my/wrapper')
    writeFileSync(path, TWO_TEXT)
    expect(await later.states('two')).toEqual(['patchbay gone'])
    await later.connector.accept({ fileId, entryName: 'patchbay' })
    expect(await later.states('two')).toEqual([])
  })

  it("isn't accepted from a file that can't be read", async () => {
    const { bench, path, fileId } = openTwo()
    await bench.connect(fileId, 'Two')
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, '{')
    const ref = { fileId, entryName: 'patchbay' }
    await expect(bench.connector.accept(ref)).rejects.toMatchObject({ code: 'HOST_FILE_BROKEN' })
    writeFileSync(path, text)
    expect(await bench.states('two')).toEqual(['patchbay asWritten'])
  })

  it('stores no value that a user wrote into the entry', async () => {
    const { bench, path, fileId } = openTwo()
    await bench.connect(fileId, 'Two')
    editCustomServer(path, '"/opt/patchbay"', '"/my/hunter2hunter2"')
    await bench.connector.accept({ fileId, entryName: 'patchbay' })
    expect(readFileSync(`${bench.profileDir}/hosts.json`, 'utf8')).not.toContain('hunter2')
  })

  it('finds its own entry again if the records are damaged', async () => {
    const { bench, fileId } = openTwo()
    const { agentId } = await bench.connect(fileId, 'Two')
    writeFileSync(`${bench.profileDir}/hosts.json`, '{"version":')
    const later = new AppFilesHarness(bench.folder, bench.secrets)
    expect(later.ledger.lost).toBeDefined()
    expect(await later.states('two')).toEqual(['patchbay foreign'])
    const agent = { kind: 'known', agentId } as const
    const { previewHash, diff } = await later.connector.previewConnect({ fileId, agent })
    expect(diff).toEqual([])
    await later.connector.connect({ fileId, agent, previewHash })
    expect(await later.states('two')).toEqual(['patchbay asWritten'])
    expect(existsSync(`${bench.profileDir}/hosts.json.bad`)).toBe(true)
  })
})
