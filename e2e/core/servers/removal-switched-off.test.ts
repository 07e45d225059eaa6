import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, describe, expect, it } from 'vitest'

import { memoryBackend } from '../../../src-main/core/secrets/memory-backend'
import { type Desk, Desks } from '../../fixtures/desk'
import { appFile, github, importFrom, readApp, TOKEN, writeApp } from '../../fixtures/import-desk'

const desks = new Desks()
afterAll(() => desks.closeAll())

/** A desk that imported a server with a secret of Cursor, which was taken out of its file. */
async function openImported(): Promise<{ readonly desk: Desk; readonly text: string }> {
  const desk = desks.open({ document: null, secrets: memoryBackend() })
  const text = writeApp(desk, 'cursor', {
    mcpServers: { gh: github(TOKEN), other: { command: 'x' } },
  })
  const { changes } = await importFrom(desk, [['cursor', 'gh']], [['cursor', 'gh']])
  expect(changes).toHaveLength(1)
  expect(readApp(desk, 'cursor')).not.toContain(TOKEN)
  return { desk, text }
}

describe('D6 removing everything and servers that were switched off for an import', () => {
  it('puts them back into a file that was changed since', async () => {
    const { desk } = await openImported()
    writeFileSync(appFile(desk, 'cursor'), `${readApp(desk, 'cursor')}\n`)
    const { left } = await desk.call('removal.remove', {})
    expect(left).toEqual([])
    expect(JSON.parse(readApp(desk, 'cursor'))).toEqual({
      mcpServers: { other: { command: 'x' }, gh: github(TOKEN) },
    })
    expect(await desk.memory.secrets.keys()).toEqual([])
    expect(existsSync(join(desk.profileDir, 'host-backups'))).toBe(false)
  })

  it('puts those of a project back to where they stood', async () => {
    const desk = desks.open({ document: null, secrets: memoryBackend() })
    const projects = { '/srv/a': { mcpServers: { gh: github(TOKEN) } } }
    writeApp(desk, 'claude-code', { projects, other: 1 })
    const { servers } = await desk.call('hosts.servers', { choices: [] })
    const name = servers[0]?.entryName ?? ''
    const { changes } = await importFrom(desk, [['claude-code', name]], [['claude-code', name]])
    expect(changes).toHaveLength(1)
    writeApp(desk, 'claude-code', readApp(desk, 'claude-code').replace('"other": 1', '"other": 2'))
    expect((await desk.call('removal.remove', {})).left).toEqual([])
    expect(JSON.parse(readApp(desk, 'claude-code'))).toEqual({ projects, other: 2 })
  })

  it('keeps their secrets and copies while they cannot be put back, also for another run', async () => {
    const { desk, text } = await openImported()
    const { secrets } = desk.memory
    const path = appFile(desk, 'cursor')
    // The desk keeps its settings in memory.
    writeFileSync(join(desk.profileDir, 'settings.json'), '{}')
    chmodSync(path, 0o444)
    const { left } = await desk.call('removal.remove', {})
    const labels = left.map(({ label }) => label)
    for (const label of [
      ...['Turned-off servers of Cursor: gh', 'Settings and servers'],
      ...['Key for app configuration backups', 'Backups of app configuration files'],
      ...['App connections'],
    ])
      expect(labels).toContain(label)
    const kept = await Promise.all((await secrets.keys()).map((key) => secrets.get(key)))
    expect(kept).toContain(TOKEN)
    await desk.patchbay.close()

    const again = desks.open(desk.memory, { profileDir: desk.profileDir })
    chmodSync(path, 0o644)
    expect((await again.call('removal.remove', {})).left).toEqual([])
    expect(readApp(again, 'cursor')).toBe(text)
    expect(await secrets.keys()).toEqual([])
  })
})
