import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { memoryBackend } from '../../../src-main/core/secrets/secret-vault'
import { fixtureServer } from '../../fixtures/fixture-server'
import type { Harness } from '../../fixtures/harness'
import { isTreeAlive } from '../../fixtures/is-tree-alive'
import { openHarness } from '../../fixtures/open-harness'

const SERVER = fixtureServer('plain.mjs', {
  packageArguments: [{ type: 'named', name: '--key', isSecret: true }],
})
const VALUES = { arg_key: 'hunter2-hunter2' }

/** A Ready server with a secret, whose tools are hidden from agents. */
async function openWithServer(
  memory?: Harness['memory'],
): Promise<{ harness: Harness; id: string }> {
  const harness = openHarness(memory)
  const id = await harness.installReady(SERVER, { name: 'Notes', values: VALUES })
  await harness.call('tools.choose', { installationId: id, choice: { kind: 'none' } })
  return { harness, id }
}

const remove = (harness: Harness, installationId: string): Promise<unknown> =>
  harness.call('installation.remove', { installationId, deleteSecrets: true, canTakeBack: true })

const names = async (harness: Harness): Promise<string[]> =>
  (await harness.call('app.snapshot', {})).servers.map(({ name }) => name)

describe('D4: a removed server', () => {
  it('is stopped and hidden immediately, and restored as it was', async () => {
    const memory = { document: null as unknown, secrets: memoryBackend() }
    const { harness, id } = await openWithServer(memory)
    const before = await harness.view(id)
    const lines = await harness.log(id)
    const channels: string[] = []
    harness.patchbay.onEvent(({ channel }) => channels.push(channel))
    await remove(harness, id)
    expect(await names(harness)).toEqual([])
    expect(channels).toContain('server.removed')
    expect(before.pid !== undefined && isTreeAlive(before.pid)).toBe(false)
    expect((await harness.call('app.snapshot', {})).tools.servers).toEqual([])
    expect(await memory.secrets.keys()).toHaveLength(1)
    await expect(harness.call('installation.read', { installationId: id })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })

    await harness.call('installation.takeBack', { installationId: id })
    const after = await harness.until(id, 'ready')
    expect(after).toMatchObject({ name: 'Notes', hasSecrets: true, enabled: true })
    expect((await harness.log(id)).slice(0, lines.length)).toEqual(lines)
    const { servers } = (await harness.call('app.snapshot', {})).tools
    expect(servers).toMatchObject([{ installationId: id, choice: { kind: 'none' } }])
    await expect(
      harness.call('installation.takeBack', { installationId: id }),
    ).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  it("stays stopped when restored if it wasn't running", async () => {
    const { harness, id } = await openWithServer()
    await harness.stop(id)
    await remove(harness, id)
    await harness.call('installation.takeBack', { installationId: id })
    expect((await harness.view(id)).status.kind).toBe('stopped')
    expect(harness.patchbay.servers.read(id).session).toBeUndefined()
  })

  it('gets a number when restored if another has its name', async () => {
    const { harness, id } = await openWithServer()
    await remove(harness, id)
    const other = await harness.install(SERVER, { name: 'Notes', values: VALUES })
    await harness.call('installation.takeBack', { installationId: id })
    expect(await names(harness)).toEqual(['Notes 2', 'Notes'])
    const { servers } = (await harness.call('app.snapshot', {})).tools
    const aliases = servers.map(({ installationId, alias }) => [installationId, alias])
    expect(aliases).toEqual([
      [id, 'Notes-2'],
      [other, 'Notes'],
    ])
  })

  it('uses its kept secrets as shared ones when restored', async () => {
    const memory = { document: null as unknown, secrets: memoryBackend() }
    const { harness, id } = await openWithServer(memory)
    const all = { installationId: id, deleteSecrets: false, canTakeBack: true }
    await harness.call('installation.remove', all)
    const stored = async (): Promise<unknown> =>
      (await harness.call('app.snapshot', {})).secrets.stored.map(({ name, uses }) => [
        name,
        uses.length,
      ])
    expect(await stored()).toEqual([['Notes: Key', 0]])
    await harness.call('installation.takeBack', { installationId: id })
    expect(await stored()).toEqual([['Notes: Key', 1]])
    await harness.until(id, 'ready')
    await harness.call('installation.remove', all)
    await harness.patchbay.close()
    expect(await memory.secrets.keys()).toHaveLength(1)
  })

  it('returns to its place in the list', async () => {
    const harness = openHarness()
    const ids: string[] = []
    for (const name of ['One', 'Two', 'Three', 'Four'])
      ids.push(
        await harness.setUp(await harness.paste(SERVER), { name, values: VALUES, start: false }),
      )
    const [, two = '', three = ''] = ids
    for (const id of [two, three]) await remove(harness, id)
    expect(await names(harness)).toEqual(['One', 'Four'])
    for (const installationId of [three, two])
      await harness.call('installation.takeBack', { installationId })
    expect(await names(harness)).toEqual(['One', 'Two', 'Three', 'Four'])
  })

  it('is deleted with its secrets and files at quit', async () => {
    const memory = { document: null as unknown, secrets: memoryBackend() }
    const { harness, id } = await openWithServer(memory)
    await remove(harness, id)
    await harness.patchbay.close()
    expect(await memory.secrets.keys()).toEqual([])
    expect(memory.document).toMatchObject({ installations: [], removed: [] })
    for (const folder of ['logs', 'figures', 'history'])
      expect(existsSync(join(harness.profileDir, folder, id)), folder).toBe(false)
  })

  it('is deleted at the next start of a killed app', async () => {
    const memory = { document: null as unknown, secrets: memoryBackend() }
    const { harness, id } = await openWithServer(memory)
    await remove(harness, id)
    const left = { document: structuredClone(memory.document), secrets: memory.secrets }
    expect(left.document).toMatchObject({ removed: [{ place: 0 }] })
    const next = openHarness(left)
    await expect.poll(() => memory.secrets.keys()).toEqual([])
    await expect.poll(() => left.document).toMatchObject({ installations: [], removed: [] })
    await expect(next.call('installation.takeBack', { installationId: id })).rejects.toThrow(
      'The removal can no longer be undone because the server was deleted.',
    )
  })

  it('is deleted in a run without a keychain, and its secrets in the next run with one', async () => {
    const memory = { document: null as unknown, secrets: memoryBackend() }
    const { harness, id } = await openWithServer(memory)
    await remove(harness, id)
    const none = { ...memory.secrets, get: () => Promise.reject(new Error('It is locked.')) }
    const left = { document: structuredClone(memory.document), secrets: none }
    const next = openHarness(left)
    const state = async (): Promise<string> =>
      (await next.call('app.snapshot', {})).secretStore.kind
    await expect.poll(state).toBe('memory')
    await expect.poll(() => left.document).toMatchObject({ installations: [], removed: [] })
    await next.patchbay.close()
    expect(await memory.secrets.keys()).toHaveLength(1)

    openHarness({ ...left, secrets: memory.secrets })
    await expect.poll(() => memory.secrets.keys()).toEqual([])
  })

  it('is deleted if its secrets can’t be, which are named and not forgotten', async () => {
    const secrets = memoryBackend()
    let isLocked = false
    const memory = {
      document: null as unknown,
      secrets: {
        ...secrets,
        delete: (key: string) =>
          isLocked ? Promise.reject(new Error('It is locked.')) : secrets.delete(key),
      },
    }
    const { harness, id } = await openWithServer(memory)
    const notices: string[] = []
    harness.patchbay.onEvent((event) => {
      if (event.channel === 'notices.changed')
        notices.push(...event.payload.notices.map(({ message }) => message))
    })
    await remove(harness, id)
    isLocked = true
    await harness.patchbay.close()
    expect(notices).toEqual([
      'Still stored: Key of Notes. Deleting a secret from the keychain failed: It is locked. Patchbay retries at the next start.',
    ])
    expect(memory.document).toMatchObject({ installations: [], removed: [] })
    expect(await secrets.keys()).toHaveLength(1)

    isLocked = false
    const next = openHarness(memory)
    await expect.poll(() => secrets.keys()).toEqual([])
    await expect.poll(async () => (await next.call('app.snapshot', {})).notices).toEqual([])
  })
})
