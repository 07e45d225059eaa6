import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, describe, expect, it } from 'vitest'

import { memoryBackend } from '../../../src-main/core/secrets/memory-backend'
import { type Desk, Desks } from '../../fixtures/desk'
import { fixtureServer } from '../../fixtures/fixture-server'
import { isTreeAlive } from '../../fixtures/is-tree-alive'

const desks = new Desks()
afterEach(() => desks.closeAll())

const SERVER = fixtureServer('plain.mjs', {
  packageArguments: [{ type: 'named', name: '--key', isSecret: true }],
})
const VALUES = { arg_key: 'hunter2-hunter2' }

/** A server with a secret, that is ready and of which agents are shown no tool. */
async function openWithServer(memory?: Desk['memory']): Promise<{ desk: Desk; id: string }> {
  const desk = desks.open(memory)
  const id = await desk.install(SERVER, { name: 'Notes', values: VALUES })
  await desk.until(id, 'ready')
  await desk.call('tools.choose', { installationId: id, choice: { kind: 'none' } })
  return { desk, id }
}

const remove = (desk: Desk, installationId: string): Promise<unknown> =>
  desk.call('installation.remove', { installationId, deleteSecrets: true, canTakeBack: true })

const names = async (desk: Desk): Promise<string[]> =>
  (await desk.call('app.snapshot', {})).servers.map(({ name }) => name)

describe('D4 a server that was removed', () => {
  it('is stopped and out of sight at once, and comes back as it was', async () => {
    const memory = { document: null as unknown, secrets: memoryBackend() }
    const { desk, id } = await openWithServer(memory)
    const before = await desk.view(id)
    const lines = await desk.log(id)
    const told: string[] = []
    desk.patchbay.onEvent(({ channel }) => told.push(channel))
    await remove(desk, id)
    expect(await names(desk)).toEqual([])
    expect(told).toContain('server.removed')
    expect(before.pid !== undefined && isTreeAlive(before.pid)).toBe(false)
    expect((await desk.call('app.snapshot', {})).tools.servers).toEqual([])
    expect(await memory.secrets.keys()).toHaveLength(1)
    await expect(desk.call('installation.read', { installationId: id })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })

    await desk.call('installation.takeBack', { installationId: id })
    const after = await desk.until(id, 'ready')
    expect(after).toMatchObject({ name: 'Notes', hasSecrets: true, enabled: true })
    expect((await desk.log(id)).slice(0, lines.length)).toEqual(lines)
    const { servers } = (await desk.call('app.snapshot', {})).tools
    expect(servers).toMatchObject([{ installationId: id, choice: { kind: 'none' } }])
    await expect(desk.call('installation.takeBack', { installationId: id })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  it('stays stopped when it is taken back, if it did not run', async () => {
    const { desk, id } = await openWithServer()
    await desk.call('server.stop', { installationId: id })
    await desk.until(id, 'stopped')
    await remove(desk, id)
    await desk.call('installation.takeBack', { installationId: id })
    expect((await desk.view(id)).status.kind).toBe('stopped')
    expect(desk.patchbay.servers.read(id).supervisor.session).toBeUndefined()
  })

  it('is numbered when it is taken back and another has its name by now', async () => {
    const { desk, id } = await openWithServer()
    await remove(desk, id)
    const other = await desk.install(SERVER, { name: 'Notes', values: VALUES })
    await desk.call('installation.takeBack', { installationId: id })
    expect(await names(desk)).toEqual(['Notes 2', 'Notes'])
    const { servers } = (await desk.call('app.snapshot', {})).tools
    const aliases = servers.map(({ installationId, alias }) => [installationId, alias])
    expect(aliases).toEqual([
      [id, 'Notes-2'],
      [other, 'Notes'],
    ])
  })

  it('uses the secrets that were kept, as stored ones, when it is taken back', async () => {
    const memory = { document: null as unknown, secrets: memoryBackend() }
    const { desk, id } = await openWithServer(memory)
    const all = { installationId: id, deleteSecrets: false, canTakeBack: true }
    await desk.call('installation.remove', all)
    const stored = async (): Promise<unknown> =>
      (await desk.call('app.snapshot', {})).secrets.stored.map(({ name, uses }) => [
        name,
        uses.length,
      ])
    expect(await stored()).toEqual([['Notes: Key', 0]])
    await desk.call('installation.takeBack', { installationId: id })
    expect(await stored()).toEqual([['Notes: Key', 1]])
    await desk.until(id, 'ready')
    await desk.call('installation.remove', all)
    await desk.patchbay.close()
    expect(await memory.secrets.keys()).toHaveLength(1)
  })

  it('comes back to its place in the list', async () => {
    const desk = desks.open()
    const ids: string[] = []
    for (const name of ['One', 'Two', 'Three', 'Four'])
      ids.push(await desk.setUp(await desk.paste(SERVER), { name, values: VALUES, start: false }))
    const [, two = '', three = ''] = ids
    for (const id of [two, three]) await remove(desk, id)
    expect(await names(desk)).toEqual(['One', 'Four'])
    for (const installationId of [three, two])
      await desk.call('installation.takeBack', { installationId })
    expect(await names(desk)).toEqual(['One', 'Two', 'Three', 'Four'])
  })

  it('is deleted with its secrets and files at the end of the app', async () => {
    const memory = { document: null as unknown, secrets: memoryBackend() }
    const { desk, id } = await openWithServer(memory)
    await remove(desk, id)
    await desk.patchbay.close()
    expect(await memory.secrets.keys()).toEqual([])
    expect(memory.document).toMatchObject({ installations: [], removed: [] })
    for (const folder of ['logs', 'figures', 'history'])
      expect(existsSync(join(desk.profileDir, folder, id)), folder).toBe(false)
  })

  it('is deleted at the next start where the app was killed', async () => {
    const memory = { document: null as unknown, secrets: memoryBackend() }
    const { desk, id } = await openWithServer(memory)
    await remove(desk, id)
    const left = { document: structuredClone(memory.document), secrets: memory.secrets }
    expect(left.document).toMatchObject({ removed: [{ place: 0 }] })
    const next = desks.open(left)
    await expect.poll(() => memory.secrets.keys()).toEqual([])
    await expect.poll(() => left.document).toMatchObject({ installations: [], removed: [] })
    await expect(next.call('installation.takeBack', { installationId: id })).rejects.toThrow(
      'The removal can no longer be undone because the server was deleted.',
    )
  })

  it('waits for a keychain where an earlier run left it and there is none', async () => {
    const memory = { document: null as unknown, secrets: memoryBackend() }
    const { desk, id } = await openWithServer(memory)
    await remove(desk, id)
    const none = { ...memory.secrets, get: () => Promise.reject(new Error('It is locked.')) }
    const left = { document: structuredClone(memory.document), secrets: none }
    const next = desks.open(left)
    const state = async (): Promise<string> =>
      (await next.call('app.snapshot', {})).secretStore.kind
    await expect.poll(state).toBe('memory')
    await next.patchbay.close()
    expect(left.document).toMatchObject({ installations: [], removed: [{ place: 0 }] })
  })

  it('says when its secrets cannot be deleted, and is not forgotten', async () => {
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
    const { desk, id } = await openWithServer(memory)
    const titles: string[] = []
    desk.patchbay.onEvent((event) => {
      if (event.channel === 'notices.changed')
        titles.push(...event.payload.notices.map(({ title }) => title))
    })
    await remove(desk, id)
    isLocked = true
    await desk.patchbay.close()
    expect(titles).toEqual(['Some data of Notes was not deleted'])
    expect(memory.document).toMatchObject({ installations: [], removed: [{ place: 0 }] })
    expect(await secrets.keys()).toHaveLength(1)

    isLocked = false
    desks.open(memory)
    await expect.poll(() => secrets.keys()).toEqual([])
  })
})
