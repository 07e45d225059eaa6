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
import { openHarness } from '../../fixtures/open-harness'

describe('D6 an import that meets a changed world', () => {
  it('adds the servers and leaves a file on that changed since it was shown', async () => {
    const harness = openHarness()
    withFourApps(harness)
    const ref = refOf(harness, 'claude-desktop', 'github')
    const { files } = await harness.call('hosts.previewSwitchOff', { refs: [ref] })
    const text = writeApp(harness, 'claude-desktop', {
      mcpServers: { github: github(TOKEN), notes, more: notes },
    })
    const switchOff = files.map(({ fileId, seen }) => ({ fileId, seen }))
    const result = await harness.call('hosts.import', { choices: [ref], switchOff })
    expect(result.added).toHaveLength(1)
    expect(result.changes).toEqual([])
    expect(result.leftOn).toHaveLength(1)
    expect(result.leftOn[0]).toContain(appFile(harness, 'claude-desktop'))
    expect(readApp(harness, 'claude-desktop')).toBe(text)
  })

  it('leaves a file on of which not every server was added', async () => {
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
    expect(result.leftOn).toEqual([
      `${appFile(harness, 'cursor')} was not changed: b was not added.`,
    ])
    expect(readApp(harness, 'cursor')).toBe(text)
  })

  it('takes no secret out of a file that was not taken over', async () => {
    const harness = openHarness()
    withFourApps(harness)
    const text = readApp(harness, 'claude-desktop')
    const result = await importFrom(
      harness,
      [['vs-code', 'github']],
      [['claude-desktop', 'github']],
    )
    expect(result.added).toHaveLength(1)
    expect(result.leftOn).toEqual([
      `${appFile(harness, 'claude-desktop')} was not changed: github has a secret there that was not imported.`,
    ])
    expect(readApp(harness, 'claude-desktop')).toBe(text)
  })

  it('adds nothing where a chosen server is gone or cannot be added', async () => {
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

  it('shows and changes a file once that several apps read', async () => {
    const harness = openHarness()
    const text = writeApp(harness, 'cursor', { mcpServers: { a: notes } })
    writeApp(harness, 'claude-desktop', '')
    rmSync(appFile(harness, 'claude-desktop'))
    symlinkSync(appFile(harness, 'cursor'), appFile(harness, 'claude-desktop'))
    expect((await serversOfApps(harness)).map(({ entryName }) => entryName)).toEqual(['a', 'a'])
    const refs = [refOf(harness, 'cursor', 'a'), refOf(harness, 'claude-desktop', 'a')]
    const { files } = await harness.call('hosts.previewSwitchOff', { refs })
    expect(files).toHaveLength(1)
    const [seen] = files.map((file) => file.seen)
    const switchOff = refs.map(({ fileId }) => ({ fileId, seen: seen ?? '' }))
    const choices = refs.slice(0, 1)
    const { changes, leftOn } = await harness.call('hosts.import', { choices, switchOff })
    expect([changes.length, leftOn]).toEqual([1, []])
    for (const { changeId } of changes) await harness.call('hosts.undo', { changeId })
    expect(readApp(harness, 'cursor')).toBe(text)
  })
})
