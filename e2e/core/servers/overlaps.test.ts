import { describe, expect, it } from 'vitest'

import { memoryBackend } from '../../../src-main/core/secrets/secret-vault'
import { fixtureServer } from '../../fixtures/fixture-server'
import type { Harness } from '../../fixtures/harness'
import { isTreeAlive } from '../../fixtures/is-tree-alive'
import { openHarness } from '../../fixtures/open-harness'
import { pause } from '../../fixtures/pause'
import { stayingIn } from '../../fixtures/stop-grace'

/** Every pid that a server ever showed, to check at the end. */
function pidsOf(harness: Harness): Set<number> {
  const pids = new Set<number>()
  harness.patchbay.onEvent((event) => {
    if (event.channel === 'server.changed' && event.payload.server.pid !== undefined) {
      pids.add(event.payload.server.pid)
    }
  })
  return pids
}

function living(pids: ReadonlySet<number>): number[] {
  return [...pids].filter((pid) => isTreeAlive(pid))
}

/** Whether the key only tests the keychain. */
const isProbe = (key: string): boolean => key.startsWith('probe/')

/** Settles once the server is Ready with another process. */
async function untilReadyAgain(harness: Harness, installationId: string, pid = 0): Promise<void> {
  const isReadyAgain = async (): Promise<boolean> => {
    const view = await harness.view(installationId)
    return view.status.kind === 'ready' && view.pid !== pid
  }
  await expect.poll(isReadyAgain).toBe(true)
}

describe('B6: overlapping requests', () => {
  it('end with the last one: stop, start, stop leaves a stopped server', async () => {
    const harness = openHarness()
    const pids = pidsOf(harness)
    const installationId = await harness.installReady(fixtureServer('family.mjs'))
    await harness.call('installation.setEnabled', { installationId, enabled: false })
    await harness.call('installation.setEnabled', { installationId, enabled: true })
    await harness.call('installation.setEnabled', { installationId, enabled: false })
    await harness.until(installationId, 'stopped')
    await pause(300)
    expect((await harness.view(installationId)).status.kind).toBe('stopped')
    expect(pids.size).toBe(1)
  })

  it('end with the last one: stop, start leaves a running server', async () => {
    const harness = openHarness()
    const installationId = await harness.install(fixtureServer('family.mjs'))
    const { pid } = await harness.until(installationId, 'ready')
    await harness.call('server.stop', { installationId })
    await harness.call('server.start', { installationId })
    await harness.call('server.start', { installationId })
    await untilReadyAgain(harness, installationId, pid)
  })

  it('start one process for two restarts', async () => {
    const harness = openHarness()
    const pids = pidsOf(harness)
    const installationId = await harness.install(fixtureServer('plain.mjs'))
    const { pid } = await harness.until(installationId, 'ready')
    await harness.call('server.restart', { installationId })
    await harness.call('server.restart', { installationId })
    await untilReadyAgain(harness, installationId, pid)
    await pause(300)
    expect(pids.size).toBe(2)
    expect(living(pids)).toHaveLength(1)
  })

  it('treat a Stop during a restart as the first one, and start nothing', async () => {
    const harness = openHarness()
    const installationId = await harness.install(fixtureServer('stubborn.mjs'))
    await harness.untilPid(installationId)
    await stayingIn(['stdinMs'], async () => {
      await harness.call('server.restart', { installationId })
      await harness.call('server.stop', { installationId })
      await pause(500)
      expect((await harness.view(installationId)).status.kind).toBe('stopping')
      expect(await harness.log(installationId)).not.toContain('SIGTERM ignored')
      await harness.stop(installationId)
    })
    await pause(300)
    expect((await harness.view(installationId)).status.kind).toBe('stopped')
  })
})

describe('B6: quit', () => {
  it('starts nothing, even during a restart', async () => {
    const harness = openHarness()
    const pids = pidsOf(harness)
    const installationId = await harness.installReady(fixtureServer('plain.mjs'))
    await harness.call('server.restart', { installationId })
    await harness.patchbay.close()
    await pause(500)
    expect(living(pids)).toEqual([])
    expect((await harness.view(installationId)).status.kind).toBe('stopped')
  })

  it('starts nothing that is being saved', async () => {
    const secrets = memoryBackend()
    const begun = Promise.withResolvers<undefined>()
    const held = Promise.withResolvers<undefined>()
    const set = async (key: string, value: string): Promise<void> => {
      if (!isProbe(key)) {
        begun.resolve(undefined)
        await held.promise
      }
      await secrets.set(key, value)
    }
    const harness = openHarness({ document: null, secrets: { ...secrets, set } })
    const pids = pidsOf(harness)
    const server = fixtureServer('plain.mjs', {
      packageArguments: [{ type: 'named', name: '--key', isSecret: true }],
    })
    const saving = harness.install(server, { values: { arg_key: 'hunter2-hunter2' } })
    await begun.promise
    const closing = harness.patchbay.close()
    held.resolve(undefined)
    await closing
    const installationId = await saving
    await pause(500)
    expect((await harness.view(installationId)).status.kind).toBe('stopped')
    expect(living(pids)).toEqual([])
  })
})

describe('D1: removing', () => {
  it('ends a server being restarted, even if it is started meanwhile', async () => {
    const harness = openHarness()
    const pids = pidsOf(harness)
    const installationId = await harness.installReady(fixtureServer('plain.mjs'))
    await harness.call('server.restart', { installationId })
    await harness.call('installation.remove', { installationId, deleteSecrets: false })
    await pause(500)
    expect(living(pids)).toEqual([])
    expect((await harness.call('app.snapshot', {})).servers).toEqual([])
  })

  it('runs nothing of a server started while its secrets are deleted', async () => {
    const secrets = memoryBackend()
    const held = Promise.withResolvers<undefined>()
    const slow = async (key: string): Promise<boolean> => {
      if (!isProbe(key)) await held.promise
      return secrets.delete(key)
    }
    const harness = openHarness({ document: null, secrets: { ...secrets, delete: slow } })
    const pids = pidsOf(harness)
    const server = fixtureServer('plain.mjs', {
      packageArguments: [{ type: 'named', name: '--key', isSecret: true }],
    })
    const installationId = await harness.installReady(server, {
      values: { arg_key: 'hunter2-hunter2' },
    })
    const removing = harness.call('installation.remove', { installationId, deleteSecrets: true })
    const isListed = async (): Promise<boolean> =>
      (await harness.call('app.snapshot', {})).servers.length > 0
    await expect.poll(isListed).toBe(false)
    // A window that still shows it may request this.
    await harness.call('server.start', { installationId })
    held.resolve(undefined)
    await removing
    await pause(300)
    expect(living(pids)).toEqual([])
  })
})

describe('D7: the order of events', () => {
  it('has revisions without gaps, and the snapshot contains the newest', async () => {
    const harness = openHarness()
    const revisions: number[] = []
    harness.patchbay.onEvent(({ payload }) => {
      if ('revision' in payload) revisions.push(payload.revision)
    })
    const [first] = await Promise.all([
      harness.install(fixtureServer('plain.mjs')),
      harness.install(fixtureServer('noisy.mjs')),
    ])
    await harness.until(first, 'ready')
    const { revision } = await harness.call('app.snapshot', {})
    expect(revisions).toEqual(revisions.map((_, index) => index + 1))
    expect(revision).toBe(revisions.length)
    expect(revision).toBeGreaterThan(10)
  })
})
