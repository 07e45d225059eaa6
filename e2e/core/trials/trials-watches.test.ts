import { randomUUID } from 'node:crypto'

import { afterEach, describe, expect, it } from 'vitest'

import { AgentBench, ERAS } from '../../fixtures/agent-bench'
import { fixtureServer } from '../../fixtures/fixture-server'
import { POLL, untilServing } from '../../fixtures/tool-desk'
import { TrialDesk, TrialDesks } from '../../fixtures/trial-desk'

const desks = new TrialDesks()
const closers: (() => unknown)[] = []
afterEach(async () => {
  await desks.closeAll()
  for (const close of closers.splice(0)) await close()
})

describe('D5 a resource that the person watches', () => {
  const uri = 'memo://rich'
  const watcherId = randomUUID()
  const watch = (tried: TrialDesk, isWanted: boolean, by = watcherId): Promise<void> =>
    tried.desk.call('trial.watch', { installationId: tried.id, uri, isWanted, watcherId: by })
  const touch = async (tried: TrialDesk): Promise<void> => {
    const params = { name: 'touch', arguments: { uri } }
    await tried.desk.session(tried.id).request('tools/call', params)
  }

  it('is told when it changes, until it is left, also after a reconnect', async () => {
    const tried = await desks.add(TrialDesk.with(fixtureServer('rich.mjs')))
    await Promise.all([watch(tried, true), watch(tried, true)])
    await expect.poll(() => tried.linesWith(`watches ${uri}`), POLL).toHaveLength(1)
    await touch(tried)
    await expect.poll(() => tried.updated, POLL).toEqual([uri])
    await tried.desk.call('server.reconnect', { installationId: tried.id })
    await expect.poll(() => tried.linesWith(`watches ${uri}`), POLL).toHaveLength(2)
    await expect
      .poll(async () => {
        await touch(tried)
        return tried.updated.length
      }, POLL)
      .toBeGreaterThan(1)
    await watch(tried, false)
    await expect.poll(() => tried.linesWith(`leaves ${uri}`), POLL).toHaveLength(1)
    const before = tried.updated.length
    await touch(tried)
    await watch(tried, true)
    expect(tried.updated).toHaveLength(before)
  })

  it('is told until the last window has left it', async () => {
    const tried = await desks.add(TrialDesk.with(fixtureServer('rich.mjs')))
    const other = randomUUID()
    await Promise.all([watch(tried, true), watch(tried, true, other)])
    await expect.poll(() => tried.linesWith(`watches ${uri}`), POLL).toHaveLength(1)
    await watch(tried, false, other)
    await watch(tried, false, other)
    await touch(tried)
    await expect.poll(() => tried.updated, POLL).toEqual([uri])
    expect(await tried.linesWith(`leaves ${uri}`)).toEqual([])
    await watch(tried, false)
    await expect.poll(() => tried.linesWith(`leaves ${uri}`), POLL).toHaveLength(1)
  })

  it('is asked for when its server starts, and left with its server', async () => {
    const tried = await desks.add(TrialDesk.with(fixtureServer('rich.mjs')))
    const { desk, id } = tried
    await desk.call('server.stop', { installationId: id })
    await desk.until(id, 'stopped')
    await watch(tried, true)
    expect(await tried.linesWith('watches')).toEqual([])
    await desk.call('server.start', { installationId: id })
    await expect.poll(() => tried.linesWith('watches'), POLL).toHaveLength(1)
    await desk.call('installation.remove', { installationId: id, deleteSecrets: true })
    await expect(watch(tried, true)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await watch(tried, false)
  })

  it('cannot be one of a server that tells of none, or refuses', async () => {
    const tried = await desks.add(TrialDesk.with(fixtureServer('plain.mjs')))
    await expect(watch(tried, true)).rejects.toMatchObject({ code: 'NOT_AVAILABLE_HERE' })
    const id = await tried.desk.install(
      fixtureServer('rich.mjs', { args: ['rich', import.meta.filename] }),
    )
    await untilServing(tried.desk, id)
    await expect(watch(new TrialDesk(tried.desk, id), true)).rejects.toMatchObject({
      code: 'REQUEST_REFUSED',
      message: 'The server rejected resources/subscribe: Not today.',
    })
  })

  it.each(ERAS)('is not left for an agent of the %s era that watches it too', async (era) => {
    const bench = new AgentBench()
    closers.push(() => bench.close())
    await bench.open()
    const id = await bench.addServer('rich')
    const tried = new TrialDesk(bench.desk, id)
    const { key } = await bench.addAgent('Anna')
    const { client, ask, told } = await bench.connect(key, era)
    await watch(tried, true)
    if (era === 'newer') await client.listen({ resourceSubscriptions: [uri] })
    else await ask('resources/subscribe', { uri })
    await watch(tried, false)
    await touch(tried)
    const heard = (): unknown[] =>
      told.filter(({ method }) => method === 'notifications/resources/updated')
    await expect.poll(heard, POLL).toHaveLength(1)
    expect(tried.updated).toEqual([])
    expect(await tried.linesWith('leaves')).toEqual([])
    await watch(tried, true)
    await touch(tried)
    await expect.poll(() => tried.updated, POLL).toEqual([uri])
    expect(await tried.linesWith('watches')).toHaveLength(1)
  })
})
