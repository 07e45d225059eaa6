import { describe, expect, it } from 'vitest'

import {
  appFile,
  github,
  importFrom,
  notes,
  OTHER,
  readApp,
  refOf,
  serversOfApps,
  TOKEN,
  writeApp,
} from '../../fixtures/app-config-files'
import type { Harness } from '../../fixtures/harness'
import { openHarness } from '../../fixtures/open-harness'

/** The names of the servers that the file of Cursor still has. */
function namesLeft(harness: Harness): string[] {
  const { mcpServers } = JSON.parse(readApp(harness, 'cursor')) as { mcpServers: object }
  return Object.keys(mcpServers)
}

describe('D6 several accounts of one server', () => {
  it('are switched off in each of their files, where all of them were imported', async () => {
    const harness = openHarness()
    writeApp(harness, 'cursor', { mcpServers: { gh: github(TOKEN) } })
    writeApp(harness, 'claude-desktop', { mcpServers: { gh: github(OTHER) } })
    const both = [
      ['cursor', 'gh'],
      ['claude-desktop', 'gh'],
    ] as const
    const { changes, leftOn } = await importFrom(harness, both, both)
    expect(leftOn).toEqual([])
    expect(changes.map(({ path }) => path)).toEqual([
      appFile(harness, 'cursor'),
      appFile(harness, 'claude-desktop'),
    ])
    expect(await serversOfApps(harness)).toEqual([])
  })

  it.each([
    ['variables', github('${env:GH_WORK}'), github('${env:GH_HOME}')],
    ['files of variables', { ...notes, envFile: '/w/.env' }, { ...notes, envFile: '/h/.env' }],
    ['folders', { ...notes, cwd: '/w' }, { ...notes, cwd: '/h' }],
    ['nothing', notes, notes],
  ])(
    'stay on where they were not chosen, in the file of the one that was: %s',
    async (_, work, home) => {
      const harness = openHarness()
      writeApp(harness, 'cursor', { mcpServers: { work, home } })
      const { leftOn } = await importFrom(harness, [['cursor', 'work']], [['cursor', 'work']])
      expect(leftOn).toEqual([])
      expect(namesLeft(harness)).toEqual(['home'])
    },
  )

  it('says of a file where nothing was on any more that it was left as it is', async () => {
    const harness = openHarness()
    writeApp(harness, 'cursor', { mcpServers: { notes, other: { command: 'x' } } })
    writeApp(harness, 'claude-desktop', { mcpServers: { notes } })
    const ref = refOf(harness, 'cursor', 'notes')
    const { files } = await harness.call('hosts.previewSwitchOff', { refs: [ref] })
    writeApp(harness, 'cursor', { mcpServers: { other: { command: 'x' } } })
    const { changes, leftOn } = await harness.call('hosts.import', {
      choices: [refOf(harness, 'claude-desktop', 'notes')],
      switchOff: files.map(({ fileId, seen }) => ({ fileId, seen })),
    })
    expect(changes).toEqual([])
    expect(leftOn).toEqual([
      `${appFile(harness, 'cursor')} was not changed: the server shown is no longer turned on.`,
    ])
  })

  it('says at the file that without a keychain secrets go with the run', async () => {
    const harness = openHarness({
      document: null,
      get secrets(): never {
        throw new Error('There is no keychain.')
      },
    })
    writeApp(harness, 'cursor', { mcpServers: { work: github(TOKEN) } })
    const refs = [refOf(harness, 'cursor', 'work')]
    const { files } = await harness.call('hosts.previewSwitchOff', { refs })
    expect((await harness.call('app.snapshot', {})).secretStore.kind).toBe('memory')
    const told = files.flatMap((file) => file.notes).join(' ')
    expect(told).toMatch(/Without a keychain, their secrets.* lost when Patchbay quits/)
    expect(told).not.toMatch(/stored only in the keychain/)
  })
})
