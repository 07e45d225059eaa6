import { randomUUID } from 'node:crypto'

import { describe, expect, it } from 'vitest'

import { closing } from '../../fixtures/closing'
import { fixtureServer } from '../../fixtures/fixture-server'
import { GatewayHarness, PROTOCOL_MODES } from '../../fixtures/gateway-harness'
import { ToolRunHarness } from '../../fixtures/tool-run-harness'
import { untilConnected } from '../../fixtures/tools-harness'

describe('D5: a resource that the user watches', () => {
  const uri = 'memo://rich'
  const watcherId = randomUUID()
  const watch = (tried: ToolRunHarness, isWanted: boolean, by = watcherId): Promise<void> =>
    tried.harness.call('toolRun.watch', { installationId: tried.id, uri, isWanted, watcherId: by })
  const touch = async (tried: ToolRunHarness): Promise<void> => {
    const params = { name: 'touch', arguments: { uri } }
    await tried.harness.session(tried.id).request('tools/call', params)
  }

  it('is reported on each change until unwatched, also after a reconnect', async () => {
    const tried = closing(await ToolRunHarness.with(fixtureServer('rich.mjs')))
    await Promise.all([watch(tried, true), watch(tried, true)])
    await expect.poll(() => tried.linesWith(`watches ${uri}`)).toHaveLength(1)
    await touch(tried)
    await expect.poll(() => tried.updated).toEqual([uri])
    await tried.harness.call('server.reconnect', { installationId: tried.id })
    await expect.poll(() => tried.linesWith(`watches ${uri}`)).toHaveLength(2)
    await expect
      .poll(async () => {
        await touch(tried)
        return tried.updated.length
      })
      .toBeGreaterThan(1)
    await watch(tried, false)
    await expect.poll(() => tried.linesWith(`leaves ${uri}`)).toHaveLength(1)
    const before = tried.updated.length
    await touch(tried)
    await watch(tried, true)
    expect(tried.updated).toHaveLength(before)
  })

  it('is reported until the last window has unwatched it', async () => {
    const tried = closing(await ToolRunHarness.with(fixtureServer('rich.mjs')))
    const other = randomUUID()
    await Promise.all([watch(tried, true), watch(tried, true, other)])
    await expect.poll(() => tried.linesWith(`watches ${uri}`)).toHaveLength(1)
    await watch(tried, false, other)
    await watch(tried, false, other)
    await touch(tried)
    await expect.poll(() => tried.updated).toEqual([uri])
    expect(await tried.linesWith(`leaves ${uri}`)).toEqual([])
    await watch(tried, false)
    await expect.poll(() => tried.linesWith(`leaves ${uri}`)).toHaveLength(1)
  })

  it('is subscribed when its server starts, and unsubscribed with it', async () => {
    const tried = closing(await ToolRunHarness.with(fixtureServer('rich.mjs')))
    const { harness, id } = tried
    await harness.stop(id)
    await watch(tried, true)
    expect(await tried.linesWith('watches')).toEqual([])
    await harness.call('server.start', { installationId: id })
    await expect.poll(() => tried.linesWith('watches')).toHaveLength(1)
    await harness.call('installation.remove', { installationId: id, deleteSecrets: true })
    await expect(watch(tried, true)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await watch(tried, false)
  })

  it('is rejected for a server without subscriptions, or if the server rejects it', async () => {
    const tried = closing(await ToolRunHarness.with(fixtureServer('plain.mjs')))
    await expect(watch(tried, true)).rejects.toMatchObject({ code: 'NOT_AVAILABLE_HERE' })
    const id = await tried.harness.install(
      fixtureServer('rich.mjs', { args: ['rich', import.meta.filename] }),
    )
    await untilConnected(tried.harness, id)
    await expect(watch(new ToolRunHarness(tried.harness, id), true)).rejects.toMatchObject({
      code: 'REQUEST_REFUSED',
      message: 'The server rejected resources/subscribe: Not today.',
    })
  })

  it.each(PROTOCOL_MODES)(
    'stays subscribed for an agent (%s) that watches it too',
    async (protocolMode) => {
      const bench = closing(new GatewayHarness())
      await bench.open()
      const id = await bench.addServer('rich')
      const tried = new ToolRunHarness(bench.harness, id)
      const { key } = await bench.addAgent('Anna')
      const { client, ask, notifications } = await bench.connect(key, protocolMode)
      await watch(tried, true)
      if (protocolMode === 'stateless') await client.listen({ resourceSubscriptions: [uri] })
      else await ask('resources/subscribe', { uri })
      await watch(tried, false)
      await touch(tried)
      const updates = (): unknown[] =>
        notifications.filter(({ method }) => method === 'notifications/resources/updated')
      await expect.poll(updates).toHaveLength(1)
      expect(tried.updated).toEqual([])
      expect(await tried.linesWith('leaves')).toEqual([])
      await watch(tried, true)
      await touch(tried)
      await expect.poll(() => tried.updated).toEqual([uri])
      expect(await tried.linesWith('watches')).toHaveLength(1)
    },
  )
})
