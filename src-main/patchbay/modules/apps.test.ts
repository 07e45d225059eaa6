import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import type { Harness } from '../../../e2e/fixtures/harness'
import { openHarness } from '../../../e2e/fixtures/open-harness'
import type { HostView } from '../../../src-shared/domain/agents/host'
import { memoryBackend } from '../../core/secrets/secret-vault'

const SECRET = 'sk-abcdefghijklmnop1234567890'
const TEXT = `{
  "mcpServers": {
    "search": { "command": "npx", "args": ["-y", "search"], "env": { "KEY": "${SECRET}" } }
  }
}
`

/** Opens a profile with Cursor's file in its home folder. */
function openCursor(): { harness: Harness; path: string; again: () => Harness } {
  const profileDir = mkdtempSync(join(tmpdir(), 'patchbay-core-'))
  const folder = join(profileDir, 'home', '.cursor')
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'mcp.json')
  writeFileSync(path, TEXT)
  const memory = { document: null, secrets: memoryBackend() }
  const again = (): Harness => openHarness(memory, { profileDir })
  return { harness: again(), path, again }
}

async function cursor(harness: Harness): Promise<HostView> {
  const { hosts } = await harness.call('app.snapshot', {})
  const found = hosts.hosts.find(({ hostId }) => hostId === 'cursor')
  if (!found) throw new Error('Cursor is not known')
  return found
}

async function connect(harness: Harness, fileId: string): Promise<string> {
  const agent = { kind: 'new', name: 'Cursor' } as const
  const { previewHash } = await harness.call('hosts.previewConnect', { fileId, agent })
  return (await harness.call('hosts.connect', { fileId, agent, previewHash })).change.changeId
}

describe('D6: agent apps of this computer', () => {
  it('are found on request, and reported', async () => {
    const { harness, path } = openCursor()
    const reported: string[] = []
    harness.patchbay.onEvent(({ channel }) => reported.push(channel))
    await harness.call('hosts.look', {})
    expect(await cursor(harness)).toMatchObject({
      ...{ name: 'Cursor', isHere: true },
      files: [{ path, state: { kind: 'read', servers: 1 }, connections: [] }],
    })
    await harness.call('hosts.look', {})
    expect(reported.filter((channel) => channel === 'hosts.changed')).toHaveLength(1)
  })

  it('are connected by an entry for the agent that survives a restart and can be undone then', async () => {
    const { harness, path, again } = openCursor()
    await harness.call('hosts.look', {})
    const fileId = (await cursor(harness)).files[0]?.fileId ?? ''
    const changeId = await connect(harness, fileId)
    const { mcpServers } = JSON.parse(readFileSync(path, 'utf8')) as {
      mcpServers: { patchbay: unknown }
    }
    expect(mcpServers.patchbay).toMatchObject({
      command: 'patchbay',
      args: ['bridge', '--agent', 'cursor', '--profile', harness.profileDir],
    })
    expect((await cursor(harness)).files[0]?.connections).toMatchObject([
      { entryName: 'patchbay', agentId: 'cursor', state: 'asWritten' },
    ])
    await harness.patchbay.close()
    const later = again()
    await later.call('hosts.look', {})
    expect((await cursor(later)).files[0]?.connections).toMatchObject([{ state: 'asWritten' }])
    const { hosts } = await later.call('app.snapshot', {})
    expect(hosts.changes).toMatchObject([{ changeId, kind: 'connect', path }])
    await later.call('hosts.undo', { changeId })
    expect(readFileSync(path, 'utf8')).toBe(TEXT)
    // The agent may have existed before the connection.
    expect((await later.call('app.snapshot', {})).agents.agents).toHaveLength(1)
  })

  it('show that their agent was removed, and can still be disconnected after the close', async () => {
    const { harness, path } = openCursor()
    await harness.call('hosts.look', {})
    const fileId = (await cursor(harness)).files[0]?.fileId ?? ''
    await connect(harness, fileId)
    await harness.call('agent.remove', { agentId: 'cursor' })
    await expect
      .poll(async () => (await cursor(harness)).files[0]?.connections[0]?.state)
      .toBe('agentGone')
    await harness.patchbay.close()
    const ref = { fileId, entryName: 'patchbay' }
    const { previewHash } = await harness.call('hosts.previewDisconnect', ref)
    await harness.call('hosts.disconnect', { ...ref, removesAgent: true, previewHash })
    expect(readFileSync(path, 'utf8')).toBe(TEXT)
  })

  it('leave no secret of their files in the profile folder', async () => {
    const { harness, path } = openCursor()
    await harness.call('hosts.look', {})
    const fileId = (await cursor(harness)).files[0]?.fileId ?? ''
    const agent = { kind: 'new', name: 'Cursor' } as const
    const preview = await harness.call('hosts.previewConnect', { fileId, agent })
    expect(JSON.stringify(preview)).not.toContain(SECRET)
    await connect(harness, fileId)
    expect(readFileSync(path, 'utf8')).toContain(SECRET)
    expect(JSON.stringify(await harness.call('app.snapshot', {}))).not.toContain(SECRET)
    const own = readdirSync(harness.profileDir, { recursive: true, encoding: 'utf8' })
      .map((name) => join(harness.profileDir, name))
      .filter((file) => file !== path && statSync(file).isFile())
    expect(own.some((file) => file.includes('host-backups'))).toBe(true)
    for (const file of own) expect(readFileSync(file, 'latin1'), file).not.toContain(SECRET)
  })

  it("can't be addressed by paths that the page makes up", async () => {
    const { harness } = openCursor()
    const agent = { kind: 'new', name: 'Cursor' } as const
    for (const fileId of ['cursor:/etc/passwd', '/etc/passwd', 'nobody:x'])
      await expect(harness.call('hosts.previewConnect', { fileId, agent })).rejects.toMatchObject({
        code: 'NOT_FOUND',
      })
  })
})
