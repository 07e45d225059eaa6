import { createHash, randomUUID } from 'node:crypto'

import { beforeEach, describe, expect, it } from 'vitest'

import { memoryBackend } from '../../../src-main/core/secrets/secret-vault'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { MARK, markedProcesses } from '../../faults/marked-processes'
import { fixtureServer } from '../../fixtures/fixture-server'
import type { Harness } from '../../fixtures/harness'
import { openHarness } from '../../fixtures/open-harness'
import { pause } from '../../fixtures/pause'

let mark: string
beforeEach(() => {
  mark = randomUUID()
})

const hashOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 12)

/** A server whose processes are distinguishable. */
const marked = (script: string, options: Parameters<typeof fixtureServer>[1] = {}): object =>
  fixtureServer(script, {
    ...options,
    environmentVariables: [{ name: MARK, value: mark }, ...(options.environmentVariables ?? [])],
  })

const untilPhase = (harness: Harness, id: string, phase: string): Promise<void> =>
  expect.poll(async () => (await harness.view(id)).phases.at(-1)?.phase).toBe(phase)

const untilReconnected = (harness: Harness, id: string): Promise<void> =>
  expect.poll(async () => (await harness.view(id)).reconnecting).toBeUndefined()

/** A window's view of one server. */
function recordViews(harness: Harness): ServerView[] {
  const views: ServerView[] = []
  harness.patchbay.onEvent((event) => {
    if (event.channel === 'server.changed') views.push(event.payload.server)
  })
  return views
}

/** The first view with this status, which may be over by now. */
async function untilKind(views: ServerView[], kind: string): Promise<ServerView> {
  const found = (): ServerView | undefined => views.find(({ status }) => status.kind === kind)
  await expect.poll(found).toBeDefined()
  return found() ?? expect.unreachable()
}

describe('A8 and B11: with default settings', () => {
  it('a failed start is retried automatically', async () => {
    const harness = openHarness()
    const views = recordViews(harness)
    const id = await harness.install(marked('exits.mjs'))
    const backingOff = await untilKind(views, 'backingOff')
    expect(backingOff.status).toMatchObject({ because: 'failedStart', attempt: 2, of: 5 })
    expect(backingOff.restarts).toBe(0)
    await expect.poll(async () => (await harness.view(id)).restarts).toBe(1)
  })

  it('a lost session recovers automatically, and every window gets the same events', async () => {
    const harness = openHarness()
    const [first, second] = [recordViews(harness), recordViews(harness)]
    const id = await harness.install(marked('plain.mjs'))
    const { pid } = await harness.until(id, 'ready')
    process.kill(pid ?? 0, 'SIGKILL')
    await untilKind(first, 'backingOff')
    const view = await harness.until(id, 'ready')
    expect([view.restarts, view.pid === pid]).toEqual([1, false])
    const kinds = first.map(({ status }) => status.kind)
    expect(kinds.filter((kind, index) => kind !== kinds[index - 1])).toEqual([
      'stopped',
      'starting',
      'ready',
      'backingOff',
      'starting',
      'ready',
    ])
    expect(second).toEqual(first)
  })
})

describe('B12: one child', () => {
  it('serves every user of a server: two windows, two starts, and fifty requests', async () => {
    const harness = openHarness()
    const views = [...[recordViews(harness), recordViews(harness)]]
    const id = await harness.install(marked('plain.mjs'))
    await Promise.all([
      harness.call('server.start', { installationId: id }),
      harness.call('server.start', { installationId: id }),
    ])
    await harness.until(id, 'ready')
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        harness.session(id).request('tools/call', { name: 'echo', arguments: { n } }),
      ),
    )
    expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(50)
    const pids = views.flat().flatMap(({ pid }) => (pid === undefined ? [] : [pid]))
    expect(new Set(pids).size).toBe(1)
    if (process.platform === 'linux') expect(markedProcesses(mark)).toEqual([...new Set(pids)])
    expect(await harness.log(id)).not.toContain('Start 2')
  })
})

describe.skipIf(process.platform !== 'linux')('D1 and B6: quit during other work', () => {
  const MIDDLES: readonly (readonly [string, (harness: Harness) => Promise<string>])[] = [
    [
      'a start',
      async (harness) => {
        const id = await harness.install(marked('silent.mjs'))
        await untilPhase(harness, id, 'handshake')
        return id
      },
    ],
    [
      'a wait',
      async (harness) => {
        const id = await harness.install(marked('exits.mjs'))
        await harness.until(id, 'backingOff')
        return id
      },
    ],
    [
      'a reconnect',
      async (harness) => {
        const id = await harness.installReady(
          marked('once.mjs', { args: [`${harness.profileDir}/once`] }),
        )
        await harness.call('server.reconnect', { installationId: id })
        await untilPhase(harness, id, 'handshake')
        expect(markedProcesses(mark)).toHaveLength(2)
        return id
      },
    ],
  ]

  it.each(MIDDLES)(
    'during %s, quit leaves no process, and nothing starts afterwards',
    async (_what, bring) => {
      const harness = openHarness()
      const id = await bring(harness)
      await harness.patchbay.close()
      expect(markedProcesses(mark)).toEqual([])
      await pause(1_500)
      expect([(await harness.view(id)).status.kind, markedProcesses(mark)]).toEqual(['stopped', []])
    },
  )

  it.each(MIDDLES)(
    'during %s, removing leaves no process, and nothing starts afterwards',
    async (_what, bring) => {
      const harness = openHarness()
      const id = await bring(harness)
      await harness.call('installation.remove', { installationId: id, deleteSecrets: true })
      expect(markedProcesses(mark)).toEqual([])
      await pause(1_500)
      expect(markedProcesses(mark)).toEqual([])
      expect((await harness.call('app.snapshot', {})).servers).toEqual([])
    },
  )
})

const KEY = { name: 'API_KEY', isSecret: true, isRequired: true }
const FIRST = 'the-first-value'
const SECOND = 'the-second-value'

describe('C2: a changed configuration', () => {
  it('during a start waits for the next one, and is shown until a reconnect applies it', async () => {
    const held = Promise.withResolvers<undefined>()
    const secrets = memoryBackend()
    let reads: number | undefined
    const slow = {
      ...secrets,
      get: async (key: string) => {
        if (reads !== undefined) {
          reads += 1
          await held.promise
        }
        return secrets.get(key)
      },
    }
    const harness = openHarness({ document: null, secrets: slow })
    const server = marked('keyed.mjs', { environmentVariables: [KEY] })
    const id = await harness.install(server, { values: { env_API_KEY: FIRST } })
    const change = (value: string): Promise<unknown> =>
      harness.call('installation.update', {
        installationId: id,
        name: 'keyed',
        values: { env_API_KEY: value },
      })
    await harness.until(id, 'ready')
    await harness.stop(id)
    harness.patchbay.servers.read(id).log.clear()
    reads = 0
    await harness.call('server.start', { installationId: id })
    await expect.poll(() => reads).toBe(1)
    const changed = change(SECOND)
    held.resolve(undefined)
    await changed
    await harness.until(id, 'ready')
    await expect.poll(() => harness.log(id)).toContain(`key ${hashOf(FIRST)}`)
    expect((await harness.view(id)).unapplied).toEqual(['The configuration was changed.'])
    await harness.call('server.reconnect', { installationId: id })
    await untilReconnected(harness, id)
    expect((await harness.view(id)).unapplied).toEqual([])
    await expect.poll(() => harness.log(id)).toContain(`key ${hashOf(SECOND)}`)
  })

  it('is still shown as unapplied if the reconnect fails', async () => {
    const harness = openHarness()
    const server = marked('plain.mjs', {
      packageArguments: [{ type: 'named', name: '--mode', description: 'A mode', default: 'a' }],
    })
    const id = await harness.install(server)
    const { pid } = await harness.until(id, 'ready')
    await harness.call('installation.update', {
      installationId: id,
      name: 'plain',
      values: { arg_mode: 'b' },
    })
    await harness.call('server.reconnect', { installationId: id })
    const view = await harness.until(id, 'degraded')
    expect([view.pid, view.unapplied]).toEqual([pid, ['The configuration was changed.']])
    expect(JSON.stringify(view.status)).toContain('The command differs from the approved one')
  })
})

describe('A8 and B11: settings changed during a start', () => {
  it('apply to its failure, and their limits to the next start', async () => {
    const harness = openHarness()
    const id = await harness.install(marked('silent.mjs'), { budgets: { handshakeMs: 5_000 } })
    await untilPhase(harness, id, 'handshake')
    await harness.call('settings.update', { startTries: 1, discoverMs: 4_321, callMs: 5_000 })
    const { status } = await harness.until(id, 'paused')
    expect(status).toMatchObject({
      code: 'PHASE_TIMEOUT',
      reason: 'Failed to start. Automatic retries are off.',
    })
    const works = await harness.install(marked('works.mjs'))
    const { phases } = await harness.until(works, 'ready')
    expect(phases.find(({ phase }) => phase === 'discover')?.budgetMs).toBe(4_321)
    const endless = harness.session(works).request('tools/call', { name: 'slow', arguments: {} })
    await expect(endless).rejects.toThrow('within 5 s')
  })
})

describe('C2: a reconnect of a stopped server', () => {
  it('is rejected with its state', async () => {
    const harness = openHarness()
    const id = await harness.install(marked('silent.mjs'))
    const reconnect = (): Promise<unknown> =>
      harness.call('server.reconnect', { installationId: id })
    await expect(reconnect()).rejects.toThrow('Not reconnected: the server is starting.')
    await harness.stop(id)
    await expect(reconnect()).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  })
})
