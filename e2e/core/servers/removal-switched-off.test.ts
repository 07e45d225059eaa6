import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { memoryBackend } from '../../../src-main/core/secrets/secret-vault'
import {
  appFile,
  github,
  importFrom,
  readApp,
  TOKEN,
  writeApp,
} from '../../fixtures/app-config-files'
import type { Harness } from '../../fixtures/harness'
import { openHarness } from '../../fixtures/open-harness'

/** A harness that imported a server with a secret from Cursor, which was removed from its file. */
async function openImported(): Promise<{ readonly harness: Harness; readonly text: string }> {
  const harness = openHarness({ document: null, secrets: memoryBackend() })
  const text = writeApp(harness, 'cursor', {
    mcpServers: { gh: github(TOKEN), other: { command: 'x' } },
  })
  const { changes } = await importFrom(harness, [['cursor', 'gh']], [['cursor', 'gh']])
  expect(changes).toHaveLength(1)
  expect(readApp(harness, 'cursor')).not.toContain(TOKEN)
  return { harness, text }
}

describe('D6: removing everything restores servers turned off by an import', () => {
  it('in a file changed since', async () => {
    const { harness } = await openImported()
    writeFileSync(appFile(harness, 'cursor'), `${readApp(harness, 'cursor')}\n`)
    const { left } = await harness.call('removal.remove', {})
    expect(left).toEqual([])
    expect(JSON.parse(readApp(harness, 'cursor'))).toEqual({
      mcpServers: { other: { command: 'x' }, gh: github(TOKEN) },
    })
    expect(await harness.memory.secrets.keys()).toEqual([])
    expect(existsSync(join(harness.profileDir, 'host-backups'))).toBe(false)
  })

  it('in a project, at their old place', async () => {
    const harness = openHarness({ document: null, secrets: memoryBackend() })
    const projects = { '/srv/a': { mcpServers: { gh: github(TOKEN) } } }
    writeApp(harness, 'claude-code', { projects, other: 1 })
    const { servers } = await harness.call('hosts.servers', { choices: [] })
    const name = servers[0]?.entryName ?? ''
    const { changes } = await importFrom(harness, [['claude-code', name]], [['claude-code', name]])
    expect(changes).toHaveLength(1)
    writeApp(
      harness,
      'claude-code',
      readApp(harness, 'claude-code').replace('"other": 1', '"other": 2'),
    )
    expect((await harness.call('removal.remove', {})).left).toEqual([])
    expect(JSON.parse(readApp(harness, 'claude-code'))).toEqual({ projects, other: 2 })
  })

  it('and keeps their secrets and copies for another run if that fails', async () => {
    const { harness, text } = await openImported()
    const { secrets } = harness.memory
    const path = appFile(harness, 'cursor')
    // The harness keeps its settings in memory.
    writeFileSync(join(harness.profileDir, 'settings.json'), '{}')
    chmodSync(path, 0o444)
    const { left } = await harness.call('removal.remove', {})
    const labels = left.map(({ label }) => label)
    for (const label of [
      ...['Turned-off servers of Cursor: gh', 'Settings and servers'],
      ...['Key for app configuration backups', 'Backups of app configuration files'],
      ...['App connections'],
    ])
      expect(labels).toContain(label)
    const kept = await Promise.all((await secrets.keys()).map((key) => secrets.get(key)))
    expect(kept).toContain(TOKEN)
    await harness.patchbay.close()

    const again = openHarness(harness.memory, { profileDir: harness.profileDir })
    chmodSync(path, 0o644)
    expect((await again.call('removal.remove', {})).left).toEqual([])
    expect(readApp(again, 'cursor')).toBe(text)
    expect(await secrets.keys()).toEqual([])
  })
})
