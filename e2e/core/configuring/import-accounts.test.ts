import { afterEach, describe, expect, it } from 'vitest'

import { type Desk, Desks } from '../../fixtures/desk'
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
} from '../../fixtures/import-desk'

const desks = new Desks()
afterEach(() => desks.closeAll())

/** The names of the servers that the file of Cursor still has. */
function namesLeft(desk: Desk): string[] {
  const { mcpServers } = JSON.parse(readApp(desk, 'cursor')) as { mcpServers: object }
  return Object.keys(mcpServers)
}

describe('D6 several accounts of one server', () => {
  it('are switched off in each of their files, where all of them were imported', async () => {
    const desk = desks.open()
    writeApp(desk, 'cursor', { mcpServers: { gh: github(TOKEN) } })
    writeApp(desk, 'claude-desktop', { mcpServers: { gh: github(OTHER) } })
    const both = [
      ['cursor', 'gh'],
      ['claude-desktop', 'gh'],
    ] as const
    const { changes, leftOn } = await importFrom(desk, both, both)
    expect(leftOn).toEqual([])
    expect(changes.map(({ path }) => path)).toEqual([
      appFile(desk, 'cursor'),
      appFile(desk, 'claude-desktop'),
    ])
    expect(await serversOfApps(desk)).toEqual([])
  })

  it.each([
    ['variables', github('${env:GH_WORK}'), github('${env:GH_HOME}')],
    ['files of variables', { ...notes, envFile: '/w/.env' }, { ...notes, envFile: '/h/.env' }],
    ['folders', { ...notes, cwd: '/w' }, { ...notes, cwd: '/h' }],
    ['nothing', notes, notes],
  ])(
    'stay on where they were not chosen, in the file of the one that was: %s',
    async (_, work, home) => {
      const desk = desks.open()
      writeApp(desk, 'cursor', { mcpServers: { work, home } })
      const { leftOn } = await importFrom(desk, [['cursor', 'work']], [['cursor', 'work']])
      expect(leftOn).toEqual([])
      expect(namesLeft(desk)).toEqual(['home'])
    },
  )

  it('says of a file where nothing was on any more that it was left as it is', async () => {
    const desk = desks.open()
    writeApp(desk, 'cursor', { mcpServers: { notes, other: { command: 'x' } } })
    writeApp(desk, 'claude-desktop', { mcpServers: { notes } })
    const ref = refOf(desk, 'cursor', 'notes')
    const { files } = await desk.call('hosts.previewSwitchOff', { refs: [ref] })
    writeApp(desk, 'cursor', { mcpServers: { other: { command: 'x' } } })
    const { changes, leftOn } = await desk.call('hosts.import', {
      choices: [refOf(desk, 'claude-desktop', 'notes')],
      switchOff: files.map(({ fileId, seen }) => ({ fileId, seen })),
    })
    expect(changes).toEqual([])
    expect(leftOn).toEqual([
      `${appFile(desk, 'cursor')} was not changed: the server shown is no longer turned on.`,
    ])
  })

  it('says at the file that without a keychain secrets go with the run', async () => {
    const desk = desks.open({
      document: null,
      get secrets(): never {
        throw new Error('There is no keychain.')
      },
    })
    writeApp(desk, 'cursor', { mcpServers: { work: github(TOKEN) } })
    const refs = [refOf(desk, 'cursor', 'work')]
    const { files } = await desk.call('hosts.previewSwitchOff', { refs })
    expect((await desk.call('app.snapshot', {})).secretStore.kind).toBe('memory')
    const told = files.flatMap((file) => file.notes).join(' ')
    expect(told).toMatch(/Without a keychain, their secrets.* lost when Patchbay quits/)
    expect(told).not.toMatch(/stored only in the keychain/)
  })
})
