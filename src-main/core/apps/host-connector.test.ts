import { readFileSync, symlinkSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

import { AppFilesHarness } from '../../../e2e/fixtures/app-files-harness'
import { tempFolder } from '../../../e2e/fixtures/temp-folder'
import { editCustomServer, jsonAt, openTwo, TWO_TEXT } from '../../../e2e/fixtures/two-file'
import { AppError } from '../../../src-shared/domain/app-error'

describe('D6: connecting an app', () => {
  it('previews the entry with the id of a new agent, then creates both', async () => {
    const { bench, path, fileId } = openTwo()
    const agent = { kind: 'new', name: 'Two at home' } as const
    const preview = await bench.connector.previewConnect({ fileId, agent })
    expect(bench.agents.agents).toEqual([])
    expect(preview.entryNames).toEqual(['patchbay'])
    const shown = preview.diff.filter(({ kind }) => kind === 'added').map(({ text }) => text)
    expect(shown.join('\n')).toContain('"two-at-home"')
    const done = await bench.connector.connect({ fileId, agent, previewHash: preview.previewHash })
    expect(done).toMatchObject({ agentId: 'two-at-home', change: { kind: 'connect', fileId } })
    const text = readFileSync(path, 'utf8')
    for (const { text: line } of preview.diff.filter(({ kind }) => kind === 'added'))
      expect(text.split('\n')).toContain(line)
    expect(text).toContain('// theirs')
    expect(text).toContain('"files": { "command": "npx" }, // stays')
    expect(await bench.states('two')).toEqual(['patchbay asWritten'])
  })

  it('writes the entry of a new agent once the gateway has opened', async () => {
    const { bench, path, fileId } = openTwo()
    const opening = Promise.withResolvers<undefined>()
    bench.gatewaySettled = () => opening.promise
    const connecting = bench.connect(fileId, 'Two')
    await expect.poll(() => bench.agents.agents.length).toBe(1)
    // Changes are made in turn, so an earlier one would be written by now.
    bench.write('one.json', '{}')
    await bench.change(bench.fileId('one', 'one.json'))
    expect(readFileSync(path, 'utf8')).toBe(TWO_TEXT)
    opening.resolve(undefined)
    await connecting
    expect(await bench.states('two')).toEqual(['patchbay asWritten'])
  })

  it("writes the bridge's command, and no key", async () => {
    const bench = new AppFilesHarness(tempFolder('hosts'), undefined, {
      ownCommand: { argv: ['node', '/opt/p.js'], env: {} },
    })
    const path = bench.write('one.json', '{}')
    const { agentId } = await bench.connect(bench.fileId('one', 'one.json'), 'One')
    expect(jsonAt(path, 'mcpServers')).toEqual({
      patchbay: {
        type: 'stdio',
        command: 'node',
        args: ['/opt/p.js', 'bridge', '--agent', agentId, '--profile', bench.profileDir],
      },
    })
    expect(readFileSync(path, 'utf8')).not.toContain('pb_')
    expect(bench.agents.read(agentId).profile).toMatchObject({ appLimit: 40, toolCap: 40 })
  })

  it("limits tool names to the app's limit, which later only gets stricter", async () => {
    const bench = new AppFilesHarness(tempFolder('hosts'))
    bench.write('one.json', '{}')
    const limit = (agentId: string): number => bench.agents.read(agentId).profile.nameLimit
    const { agentId } = await bench.connect(bench.fileId('one', 'one.json'), 'One')
    expect(limit(agentId)).toBe(60 - 'patchbay.'.length)
    bench.agents.setProfile(agentId, { ...bench.agents.read(agentId).profile, nameLimit: 64 })
    const fileId = bench.fileId('one', 'one.json')
    const agent = { kind: 'known', agentId } as const
    const { previewHash } = await bench.connector.previewConnect({ fileId, agent })
    await bench.connector.connect({ fileId, agent, previewHash })
    expect(limit(agentId)).toBe(51)
    bench.agents.setProfile(agentId, { ...bench.agents.read(agentId).profile, nameLimit: 48 })
    const again = await bench.connector.previewConnect({ fileId, agent })
    await bench.connector.connect({ fileId, agent, previewHash: again.previewHash })
    expect(limit(agentId)).toBe(48)
  })

  it("writes nothing if the command wouldn't outlast this run", async () => {
    const obstacle = 'Move Patchbay to the Applications folder, then open it again.'
    const ownCommand = { argv: ['/tmp/x/patchbay'], env: {}, obstacle }
    const bench = new AppFilesHarness(tempFolder('hosts'), undefined, { ownCommand })
    const path = bench.write('one.json', '{}')
    await expect(bench.connect(bench.fileId('one', 'one.json'), 'One')).rejects.toMatchObject({
      ...{ code: 'NOT_AVAILABLE_HERE', hint: obstacle },
    })
    expect(readFileSync(path, 'utf8')).toBe('{}')
    expect(bench.agents.agents).toEqual([])
  })

  it('creates no agent and reserves no id if the file has changed since the preview', async () => {
    const { bench, path, fileId } = openTwo()
    const agent = { kind: 'new', name: 'Two' } as const
    const { previewHash } = await bench.connector.previewConnect({ fileId, agent })
    editCustomServer(path, '"npx"', '"uvx"')
    await expect(bench.connector.connect({ fileId, agent, previewHash })).rejects.toMatchObject({
      code: 'HOST_FILE_CHANGED',
    })
    expect(bench.agents.agents).toEqual([])
    expect((await bench.connect(fileId, 'Two')).agentId).toBe('two')
  })

  it('keeps the agent if its entry was written but recording failed', async () => {
    const { bench, path, fileId } = openTwo()
    const finish = bench.ledger.finish.bind(bench.ledger)
    bench.ledger.finish = () => {
      throw new AppError(
        'SETTINGS_UNWRITABLE',
        'The disk is full. Free some space, then start again.',
      )
    }
    await expect(bench.connect(fileId, 'Two')).rejects.toMatchObject({
      code: 'SETTINGS_UNWRITABLE',
    })
    expect(readFileSync(path, 'utf8')).toContain('"two"')
    expect(bench.agents.agents.map(({ agentId }) => agentId)).toEqual(['two'])
    bench.ledger.finish = finish
    expect(await bench.states('two')).toEqual(['patchbay asWritten'])
  })

  it("creates no agent if the change couldn't be recorded", async () => {
    const { bench, path, fileId } = openTwo()
    bench.ledger.begin = () => {
      throw new AppError(
        'SETTINGS_UNWRITABLE',
        'The disk is full. Free some space, then start again.',
      )
    }
    await expect(bench.connect(fileId, 'Two')).rejects.toMatchObject({
      code: 'SETTINGS_UNWRITABLE',
    })
    expect(readFileSync(path, 'utf8')).toBe(TWO_TEXT)
    expect(bench.agents.agents).toEqual([])
  })

  it('rejects a name in use before writing anything', async () => {
    const { bench, path, fileId } = openTwo()
    await bench.connect(bench.fileId('one', 'one.json'), 'Two')
    const agent = { kind: 'new', name: 'two' } as const
    await expect(bench.connector.previewConnect({ fileId, agent })).rejects.toMatchObject({
      code: 'NAME_TAKEN',
    })
    expect(readFileSync(path, 'utf8')).toBe(TWO_TEXT)
  })

  it('leaves another entry of the same name alone, and reports it', async () => {
    const { bench, path, fileId } = openTwo('{"app":{"servers":{"patchbay":{"command":"x"}}}}')
    const agent = { kind: 'new', name: 'Two' } as const
    const { notes, entryNames } = await bench.connector.previewConnect({ fileId, agent })
    expect(entryNames).toEqual(['patchbay-2'])
    expect(notes.join()).toContain('patchbay-2')
    await bench.connect(fileId, 'Two')
    expect(jsonAt(path, 'app', 'servers')).toMatchObject({
      patchbay: { command: 'x' },
      'patchbay-2': { type: 'stdio' },
    })
    expect(await bench.states('two')).toEqual(['patchbay-2 asWritten'])
  })

  it('connects apps that read one file with one entry', async () => {
    const bench = new AppFilesHarness(tempFolder('hosts'))
    const real = bench.write('one.json', '{}')
    bench.write('.three/other.txt', '')
    symlinkSync(real, bench.path('.three/three.json'))
    const [one, three] = [
      bench.fileId('one', 'one.json'),
      bench.fileId('three', '.three/three.json'),
    ]
    const agent = { kind: 'new', name: 'One' } as const
    const { notes } = await bench.connector.previewConnect({ fileId: one, agent })
    expect(notes).toEqual(['Three reads this file too and is connected by the same entry.'])
    const { agentId } = await bench.connect(one, 'One')
    for (const host of ['one', 'three'])
      expect(await bench.states(host)).toEqual(['patchbay asWritten'])
    const known = { kind: 'known', agentId } as const
    const again = await bench.connector.previewConnect({ fileId: three, agent: known })
    expect(again).toMatchObject({ diff: [], entryNames: ['patchbay'] })
    await bench.disconnect(three)
    for (const host of ['one', 'three']) expect(await bench.states(host)).toEqual([])
    expect(bench.ledger.written).toEqual([])
    expect(readFileSync(real, 'utf8')).toBe('{}')
  })

  it('is undone with the agent that it created, unless that agent has connected', async () => {
    const { bench, path, fileId } = openTwo()
    const first = await bench.connect(fileId, 'Two')
    await bench.connector.undo(first.changeId)
    expect(readFileSync(path, 'utf8')).toBe(TWO_TEXT)
    expect(bench.agents.agents).toEqual([])
    expect(bench.ledger.written).toEqual([])
    const second = await bench.connect(fileId, 'Other')
    bench.seen.add(second.agentId)
    await bench.connector.undo(second.changeId)
    expect(bench.agents.agents.map(({ agentId }) => agentId)).toEqual([second.agentId])
    expect(readFileSync(path, 'utf8')).toBe(TWO_TEXT)
  })
})
