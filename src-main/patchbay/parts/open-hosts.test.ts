import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, describe, expect, it } from 'vitest'

import { type Desk, Desks } from '../../../e2e/fixtures/desk'
import type { HostView } from '../../../src-shared/domain/agents/host'
import { memoryBackend } from '../../core/secrets/memory-backend'

const SECRET = 'sk-abcdefghijklmnop1234567890'
const TEXT = `{
  "mcpServers": {
    "search": { "command": "npx", "args": ["-y", "search"], "env": { "KEY": "${SECRET}" } }
  }
}
`
const desks = new Desks()

afterEach(() => desks.closeAll())

/** A profile with Cursor's file in its home folder. */
function openCursor(): { desk: Desk; path: string; again: () => Desk } {
  const profileDir = mkdtempSync(join(tmpdir(), 'patchbay-core-'))
  const folder = join(profileDir, 'home', '.cursor')
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'mcp.json')
  writeFileSync(path, TEXT)
  const memory = { document: null, secrets: memoryBackend() }
  const again = (): Desk => desks.open(memory, { profileDir })
  return { desk: again(), path, again }
}

async function cursor(desk: Desk): Promise<HostView> {
  const { hosts } = await desk.call('app.snapshot', {})
  const found = hosts.hosts.find(({ hostId }) => hostId === 'cursor')
  if (!found) throw new Error('Cursor is not known')
  return found
}

async function connect(desk: Desk, fileId: string): Promise<string> {
  const agent = { kind: 'new', name: 'Cursor' } as const
  const { seen } = await desk.call('hosts.previewConnect', { fileId, agent })
  return (await desk.call('hosts.connect', { fileId, agent, seen })).change.changeId
}

describe('D6 agent apps of this computer', () => {
  it('are found when somebody asks, and told', async () => {
    const { desk, path } = openCursor()
    const told: string[] = []
    desk.patchbay.onEvent(({ channel }) => told.push(channel))
    await desk.call('hosts.look', {})
    expect(await cursor(desk)).toMatchObject({
      ...{ name: 'Cursor', isHere: true },
      files: [{ path, state: { kind: 'read', servers: 1 }, connections: [] }],
    })
    await desk.call('hosts.look', {})
    expect(told.filter((channel) => channel === 'hosts.changed')).toHaveLength(1)
  })

  it('are connected by an entry that leads to the agent, in the next run too, and taken back then', async () => {
    const { desk, path, again } = openCursor()
    await desk.call('hosts.look', {})
    const fileId = (await cursor(desk)).files[0]?.fileId ?? ''
    const changeId = await connect(desk, fileId)
    const { mcpServers } = JSON.parse(readFileSync(path, 'utf8')) as {
      mcpServers: { patchbay: unknown }
    }
    expect(mcpServers.patchbay).toMatchObject({
      command: 'patchbay',
      args: ['bridge', '--agent', 'cursor', '--profile', desk.profileDir],
    })
    expect((await cursor(desk)).files[0]?.connections).toMatchObject([
      { entryName: 'patchbay', agentId: 'cursor', state: 'asWritten' },
    ])
    await desk.patchbay.close()
    const later = again()
    await later.call('hosts.look', {})
    expect((await cursor(later)).files[0]?.connections).toMatchObject([{ state: 'asWritten' }])
    const { hosts } = await later.call('app.snapshot', {})
    expect(hosts.changes).toMatchObject([{ changeId, kind: 'connect', path }])
    await later.call('hosts.undo', { changeId })
    expect(readFileSync(path, 'utf8')).toBe(TEXT)
    // Nobody knows whether the agent was there in the run before.
    expect((await later.call('app.snapshot', {})).agents.agents).toHaveLength(1)
  })

  it('are told of an agent that was removed, and can still be disconnected after the close', async () => {
    const { desk, path } = openCursor()
    await desk.call('hosts.look', {})
    const fileId = (await cursor(desk)).files[0]?.fileId ?? ''
    await connect(desk, fileId)
    await desk.call('agent.remove', { agentId: 'cursor' })
    await expect
      .poll(async () => (await cursor(desk)).files[0]?.connections[0]?.state)
      .toBe('agentGone')
    await desk.patchbay.close()
    const ref = { fileId, entryName: 'patchbay' }
    const { seen } = await desk.call('hosts.previewDisconnect', ref)
    await desk.call('hosts.disconnect', { ...ref, removesAgent: true, seen })
    expect(readFileSync(path, 'utf8')).toBe(TEXT)
  })

  it('leave no secret of their files in the profile folder', async () => {
    const { desk, path } = openCursor()
    await desk.call('hosts.look', {})
    const fileId = (await cursor(desk)).files[0]?.fileId ?? ''
    const agent = { kind: 'new', name: 'Cursor' } as const
    const preview = await desk.call('hosts.previewConnect', { fileId, agent })
    expect(JSON.stringify(preview)).not.toContain(SECRET)
    await connect(desk, fileId)
    expect(readFileSync(path, 'utf8')).toContain(SECRET)
    expect(JSON.stringify(await desk.call('app.snapshot', {}))).not.toContain(SECRET)
    const own = readdirSync(desk.profileDir, { recursive: true, encoding: 'utf8' })
      .map((name) => join(desk.profileDir, name))
      .filter((file) => file !== path && statSync(file).isFile())
    expect(own.some((file) => file.includes('host-backups'))).toBe(true)
    for (const file of own) expect(readFileSync(file, 'latin1'), file).not.toContain(SECRET)
  })

  it('are not known by paths that the page makes up', async () => {
    const { desk } = openCursor()
    const agent = { kind: 'new', name: 'Cursor' } as const
    for (const fileId of ['cursor:/etc/passwd', '/etc/passwd', 'nobody:x'])
      await expect(desk.call('hosts.previewConnect', { fileId, agent })).rejects.toMatchObject({
        code: 'NOT_FOUND',
      })
  })
})
