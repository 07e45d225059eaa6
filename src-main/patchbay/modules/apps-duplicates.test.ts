import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { beforeEach, describe, expect, it } from 'vitest'

import { approveCustomServer, madeCommand, PLAIN } from '../../../e2e/fixtures/custom-servers'
import type { Harness } from '../../../e2e/fixtures/harness'
import { openHarness } from '../../../e2e/fixtures/open-harness'
import { openText } from '../../../src-shared/domain/installation/custom-server'
import { memoryBackend } from '../../core/secrets/secret-vault'

type Duplicates = 'off' | 'keep' | undefined

const APP = { kind: 'new', name: 'App' } as const
const DOUBLE = { command: 'node', args: [PLAIN] }
const OTHER = { command: 'node', args: ['other.mjs'] }
let harness: Harness
beforeEach(() => {
  const profileDir = mkdtempSync(join(tmpdir(), 'patchbay-core-'))
  harness = openHarness({ document: null, secrets: memoryBackend() }, { profileDir })
})

/** Writes an app's file; resolves to its path and id. */
async function write(hostId: string, servers: object): Promise<{ path: string; fileId: string }> {
  const find = async (): Promise<{ path: string; fileId: string }> => {
    await harness.call('hosts.look', {})
    const { hosts } = await harness.call('app.snapshot', {})
    const file = hosts.hosts.find((host) => host.hostId === hostId)?.files[0]
    if (!file) throw new Error(`${hostId} has no file`)
    return file
  }
  const { path } = await find()
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify({ mcpServers: servers }, null, 4)}\n`)
  return find()
}

async function connect(fileId: string, duplicates?: Duplicates): Promise<string> {
  const asked = { fileId, agent: APP, ...(duplicates && { duplicates }) }
  const { previewHash, obstacle } = await harness.call('hosts.previewConnect', asked)
  expect(obstacle).toBeUndefined()
  return (await harness.call('hosts.connect', { ...asked, previewHash })).change.changeId
}

async function disconnect(fileId: string): Promise<readonly string[]> {
  const ref = { fileId, entryName: 'patchbay' }
  const { previewHash, notes } = await harness.call('hosts.previewDisconnect', ref)
  await harness.call('hosts.disconnect', { ...ref, removesAgent: true, previewHash })
  return notes
}

function serversIn(path: string): Record<string, object> {
  return (JSON.parse(readFileSync(path, 'utf8')) as { mcpServers: Record<string, object> })
    .mcpServers
}

describe('F15: connecting an app that already has servers which Patchbay provides', () => {
  it('removes their entries in the same change, previews that, and disconnecting restores them exactly', async () => {
    await approveCustomServer(harness, madeCommand())
    const { path, fileId } = await write('cursor', { plain: DOUBLE, other: OTHER })
    const before = readFileSync(path, 'utf8')
    const preview = await harness.call('hosts.previewConnect', { fileId, agent: APP })
    expect(preview.duplicates).toEqual({
      ...{ names: ['plain'], way: 'remove', isIncluded: true, isLossy: false },
    })
    expect(preview.diff.filter(({ kind }) => kind === 'removed').map(({ text }) => text)).toEqual(
      expect.arrayContaining([expect.stringContaining('"plain"')]),
    )
    await connect(fileId)
    expect(Object.keys(serversIn(path))).toEqual(['other', 'patchbay'])
    expect(await disconnect(fileId)).toEqual([])
    expect(readFileSync(path, 'utf8')).toBe(before)
  })

  it('turns them off in place if the app supports that, and on again next to later changes', async () => {
    await approveCustomServer(harness, madeCommand())
    const { path, fileId } = await write('kiro', { plain: DOUBLE, other: OTHER })
    await connect(fileId)
    expect(serversIn(path)).toMatchObject({ plain: { ...DOUBLE, disabled: true }, other: OTHER })
    const { patchbay } = serversIn(path)
    const more = { ...serversIn(path), newer: OTHER }
    writeFileSync(path, JSON.stringify({ mcpServers: more }))
    await disconnect(fileId)
    expect(patchbay).toBeDefined()
    expect(serversIn(path)).toEqual({ plain: DOUBLE, other: OTHER, newer: OTHER })
  })

  it("doesn't overwrite another server with the same name on disconnect, and reports that", async () => {
    await approveCustomServer(harness, madeCommand())
    const { path, fileId } = await write('cursor', { plain: DOUBLE })
    await connect(fileId)
    writeFileSync(path, JSON.stringify({ mcpServers: { ...serversIn(path), plain: OTHER } }))
    expect(await disconnect(fileId)).toEqual(['The file has another plain now, which stays.'])
    expect(serversIn(path)).toEqual({ plain: OTHER })
  })

  it('names entries on disconnect whose earlier text is lost with its backup', async () => {
    await approveCustomServer(harness, madeCommand())
    const { path, fileId } = await write('cursor', { plain: DOUBLE, other: OTHER })
    await connect(fileId)
    rmSync(join(harness.profileDir, 'host-backups'), { recursive: true })
    expect(await disconnect(fileId)).toEqual([
      'The earlier text of plain is lost. Add it to the file again.',
    ])
    expect(serversIn(path)).toEqual({ other: OTHER })
  })

  it('keeps them if the user wants that, and one undo reverts both', async () => {
    await approveCustomServer(harness, madeCommand())
    const { path, fileId } = await write('cursor', { plain: DOUBLE })
    const before = readFileSync(path, 'utf8')
    const kept = await connect(fileId, 'keep')
    expect(Object.keys(serversIn(path))).toEqual(['plain', 'patchbay'])
    await harness.call('hosts.undo', { changeId: kept })
    const changeId = await connect(fileId, 'off')
    expect(Object.keys(serversIn(path))).toEqual(['patchbay'])
    await harness.call('hosts.undo', { changeId })
    expect(readFileSync(path, 'utf8')).toBe(before)
  })

  it("ignores servers that failed, are turned off, or aren't exposed to the app", async () => {
    const { fileId } = await write('cursor', { plain: DOUBLE })
    const duplicates = async (): Promise<unknown> =>
      (await harness.call('hosts.previewConnect', { fileId, agent: APP })).duplicates
    expect(await duplicates()).toBeUndefined()
    const installationId = await approveCustomServer(harness, madeCommand())
    expect(await duplicates()).toBeDefined()
    await harness.call('installation.setEnabled', { installationId, enabled: false })
    expect(await duplicates()).toBeUndefined()
    await harness.call('installation.setEnabled', { installationId, enabled: true })
    expect(await duplicates()).toBeDefined()

    const { agentId } = await harness.call('agent.add', { name: 'Shown nothing' })
    const { agents } = await harness.call('app.snapshot', {})
    const profile = agents.agents[0]?.profile
    if (!profile) throw new Error('The agent is gone')
    const hidden = { ...profile, servers: { kind: 'list' as const, list: [] } }
    await harness.call('agent.setProfile', { agentId, profile: hidden })
    const agent = { kind: 'known', agentId } as const
    expect(
      (await harness.call('hosts.previewConnect', { fileId, agent })).duplicates,
    ).toBeUndefined()

    const broken = madeCommand({ args: [openText('/nowhere/plain.mjs')] })
    await approveCustomServer(harness, broken, installationId)
    await write('cursor', { plain: { command: 'node', args: ['/nowhere/plain.mjs'] } })
    await expect.poll(duplicates).toBeUndefined()
  })
})
