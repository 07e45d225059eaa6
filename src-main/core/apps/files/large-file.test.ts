import { readFileSync, truncateSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

import { AppFilesHarness } from '../../../../e2e/fixtures/app-files-harness'
import { tempFolder } from '../../../../e2e/fixtures/temp-folder'

const FILE = '.three/three.json'

describe('D6: a file with documents next to its servers', () => {
  it('is connected, undone and disconnected with everything else byte for byte', async () => {
    const bench = new AppFilesHarness(tempFolder('hosts'))
    const history = Array.from({ length: 5_000 }, (_, index) => ({
      text: `${String(index)} ${'word '.repeat(240)}`,
    }))
    const text = JSON.stringify({ history, mcpServers: { keep: { command: 'node' } } }, null, 2)
    expect(text.length).toBeGreaterThan(6_000_000)
    const path = bench.write(FILE, text)
    const fileId = bench.fileId('three', FILE)
    const { changeId } = await bench.connect(fileId, 'Three')
    const entry = /,\n {4}"patchbay": \{.*?\n {4}\}/su
    const connected = readFileSync(path, 'utf8')
    expect(connected).toMatch(entry)
    expect(connected.replace(entry, '') === text).toBe(true)
    await bench.connector.undo(changeId)
    expect(readFileSync(path, 'utf8') === text).toBe(true)
    await bench.connect(fileId, 'Three')
    await bench.disconnect(fileId)
    expect(readFileSync(path, 'utf8') === text).toBe(true)
  })

  it('can have up to 64 MB, and the error above that explains the size', async () => {
    const bench = new AppFilesHarness(tempFolder('hosts'))
    const path = bench.write(FILE, '')
    truncateSync(path, 64 * 1024 * 1024 + 1)
    await bench.harness.refresh()
    const [file] = bench.harness.state.hosts.find(({ hostId }) => hostId === 'three')?.files ?? []
    expect(file?.state).toEqual({
      kind: 'unreadable',
      problem: 'The file is larger than 64 MB. Three keeps letters in it.',
    })
  })
})
