import { rmSync, symlinkSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

import type { Keychain } from '../../../src-main/core/ports'
import { memoryBackend } from '../../../src-main/core/secrets/secret-vault'
import { AppError } from '../../../src-shared/domain/app-error'
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
  withFourApps,
  writeApp,
} from '../../fixtures/app-config-files'
import type { Harness } from '../../fixtures/harness'
import { openHarness } from '../../fixtures/open-harness'

describe('D6: an import after changes', () => {
  it('adds the servers and leaves a file that changed since it was shown', async () => {
    const harness = openHarness()
    withFourApps(harness)
    const ref = refOf(harness, 'claude-desktop', 'github')
    const { files } = await harness.call('hosts.previewSwitchOff', { refs: [ref] })
    const text = writeApp(harness, 'claude-desktop', {
      mcpServers: { github: github(TOKEN), notes, more: notes },
    })
    const switchOff = files.map(({ fileId, previewHash }) => ({ fileId, previewHash }))
    const result = await harness.call('hosts.import', { choices: [ref], switchOff })
    expect(result.added).toHaveLength(1)
    expect(result.changes).toEqual([])
    expect(result.stillOn).toHaveLength(1)
    expect(result.stillOn[0]).toContain(appFile(harness, 'claude-desktop'))
    expect(readApp(harness, 'claude-desktop')).toBe(text)
  })

  it('leaves a file from which not every server was added', async () => {
    const kept = memoryBackend()
    const secrets: Keychain = {
      ...kept,
      set: (key, value) =>
        value === OTHER
          ? Promise.reject(new AppError('SECRET_STORE_FAILED', 'The keychain is locked.'))
          : kept.set(key, value),
    }
    const harness = openHarness({ document: null, secrets })
    const text = writeApp(harness, 'cursor', { mcpServers: { a: notes, b: github(OTHER) } })
    const both = [
      ['cursor', 'a'],
      ['cursor', 'b'],
    ] as const
    const result = await importFrom(harness, both, both)
    expect(result.added.map(({ name }) => name)).toEqual(['a'])
    expect(result.problem).toMatchObject({ code: 'SECRET_STORE_FAILED' })
    expect(result.stillOn).toEqual([
      `${appFile(harness, 'cursor')} was not changed: b was not added.`,
    ])
    expect(readApp(harness, 'cursor')).toBe(text)
  })

  it("removes no secret from a file that wasn't taken over", async () => {
    const harness = openHarness()
    withFourApps(harness)
    const text = readApp(harness, 'claude-desktop')
    const result = await importFrom(
      harness,
      [['vs-code', 'github']],
      [['claude-desktop', 'github']],
    )
    expect(result.added).toHaveLength(1)
    expect(result.stillOn).toEqual([
      `${appFile(harness, 'claude-desktop')} was not changed: github has a secret there that was not imported.`,
    ])
    expect(readApp(harness, 'claude-desktop')).toBe(text)
  })

  it("adds nothing if a selected server is gone or can't be added", async () => {
    const harness = openHarness()
    writeApp(harness, 'cursor', { mcpServers: { a: notes, odd: {} } })
    for (const name of ['gone', 'odd'])
      await expect(
        importFrom(harness, [
          ['cursor', 'a'],
          ['cursor', name],
        ]),
      ).rejects.toMatchObject({ code: 'INVALID_CONFIG' })
    expect((await harness.call('app.snapshot', {})).servers).toEqual([])
  })

  it('shows and changes a file that several apps read once', async () => {
    const harness = openHarness()
    const text = writeApp(harness, 'cursor', { mcpServers: { a: notes } })
    writeApp(harness, 'claude-desktop', '')
    rmSync(appFile(harness, 'claude-desktop'))
    symlinkSync(appFile(harness, 'cursor'), appFile(harness, 'claude-desktop'))
    expect((await serversOfApps(harness)).map(({ entryName }) => entryName)).toEqual(['a', 'a'])
    const refs = [refOf(harness, 'cursor', 'a'), refOf(harness, 'claude-desktop', 'a')]
    const { files } = await harness.call('hosts.previewSwitchOff', { refs })
    expect(files).toHaveLength(1)
    const [seen] = files.map((file) => file.previewHash)
    const switchOff = refs.map(({ fileId }) => ({ fileId, previewHash: seen ?? '' }))
    const choices = refs.slice(0, 1)
    const { changes, stillOn } = await harness.call('hosts.import', { choices, switchOff })
    expect([changes.length, stillOn]).toEqual([1, []])
    for (const { changeId } of changes) await harness.call('hosts.undo', { changeId })
    expect(readApp(harness, 'cursor')).toBe(text)
  })
})

/** Names of the servers left in Cursor's file. */
function namesLeft(harness: Harness): string[] {
  const { mcpServers } = JSON.parse(readApp(harness, 'cursor')) as { mcpServers: object }
  return Object.keys(mcpServers)
}

describe('D6: several accounts of one server', () => {
  it('are turned off in all their files if all were imported', async () => {
    const harness = openHarness()
    writeApp(harness, 'cursor', { mcpServers: { gh: github(TOKEN) } })
    writeApp(harness, 'claude-desktop', { mcpServers: { gh: github(OTHER) } })
    const both = [
      ['cursor', 'gh'],
      ['claude-desktop', 'gh'],
    ] as const
    const { changes, stillOn } = await importFrom(harness, both, both)
    expect(stillOn).toEqual([])
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
  ])("stay on in the imported one's file if they weren't selected: %s", async (_, work, home) => {
    const harness = openHarness()
    writeApp(harness, 'cursor', { mcpServers: { work, home } })
    const { stillOn } = await importFrom(harness, [['cursor', 'work']], [['cursor', 'work']])
    expect(stillOn).toEqual([])
    expect(namesLeft(harness)).toEqual(['home'])
  })

  it('report a file that had nothing turned on as unchanged', async () => {
    const harness = openHarness()
    writeApp(harness, 'cursor', { mcpServers: { notes, other: { command: 'x' } } })
    writeApp(harness, 'claude-desktop', { mcpServers: { notes } })
    const ref = refOf(harness, 'cursor', 'notes')
    const { files } = await harness.call('hosts.previewSwitchOff', { refs: [ref] })
    writeApp(harness, 'cursor', { mcpServers: { other: { command: 'x' } } })
    const { changes, stillOn } = await harness.call('hosts.import', {
      choices: [refOf(harness, 'claude-desktop', 'notes')],
      switchOff: files.map(({ fileId, previewHash }) => ({ fileId, previewHash })),
    })
    expect(changes).toEqual([])
    expect(stillOn).toEqual([
      `${appFile(harness, 'cursor')} was not changed: the server shown is no longer turned on.`,
    ])
  })

  it('show that without a keychain secrets are lost with the run', async () => {
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
    const shown = files.flatMap((file) => file.notes).join(' ')
    expect(shown).toMatch(/Without a keychain, their secrets.* lost when Patchbay quits/)
    expect(shown).not.toMatch(/stored only in the keychain/)
  })
})
