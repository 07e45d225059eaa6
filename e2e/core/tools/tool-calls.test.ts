import { describe, expect, it } from 'vitest'

import { agentOn, callsOn } from '../../fixtures/agent-calls-harness'
import { fixtureServer } from '../../fixtures/fixture-server'
import { freePort } from '../../fixtures/free-port'
import type { Harness } from '../../fixtures/harness'
import { openHarness, openHarnessWith } from '../../fixtures/open-harness'
import {
  namesOf,
  type Offer,
  openOffer,
  openProfile,
  type Profile,
  serveOn,
  toolsOf,
  untilConnected,
} from '../../fixtures/tools-harness'

/** Calls of a new agent by its tool names. */
async function callOn(
  harness: Harness,
): Promise<(name: string, args: object, signal?: AbortSignal) => Promise<unknown>> {
  await harness.call('settings.update', { gatewayPort: await freePort() })
  const agent = await agentOn(harness)
  const { call } = callsOn(harness)
  return async (name, args, signal) =>
    (await call({ agent, name, args, ...(signal && { signal }) })).result
}

/** A server that starts on first use, with a known list. */
const openPlain = (): ReturnType<Profile['afterListing']> =>
  openProfile().afterListing(fixtureServer('plain.mjs'), 'onFirstUse')

/** A server that failed to start and is retried after this time. */
async function openBackingOff(
  waitMs: number,
): Promise<{ harness: Harness; id: string; offer: Offer }> {
  const offer = openOffer({ tools: ['sum'] })
  const harness = await openHarnessWith({ firstWaitMs: waitMs, longestWaitMs: waitMs })
  const id = await serveOn(harness, offer.server)
  await harness.stop(id)
  offer.remove()
  await harness.call('server.start', { installationId: id })
  await harness.until(id, 'backingOff')
  return { harness, id, offer }
}

describe('C8: a server that starts on first use', () => {
  it('shows its last list after a restart of the app, without being started', async () => {
    const { harness, id } = await openPlain()
    expect(await namesOf(harness, id)).toEqual(['echo'])
    const shown = { isLive: false, total: 1, exposed: 1, packageVersion: '1.0.0' }
    expect(await toolsOf(harness, id)).toMatchObject(shown)
    const view = await harness.view(id)
    expect([view.status.kind, view.phases, view.counts.tools]).toEqual(['stopped', [], 1])
    const { tools } = await harness.call('server.capabilities', { installationId: id })
    expect(tools.map(({ name }) => name)).toEqual(['echo'])
  })

  it('is started by the first call, once for ten concurrent ones (B12)', async () => {
    const { harness, id } = await openPlain()
    const numbers = Array.from({ length: 10 }, (_, n) => n)
    const call = await callOn(harness)
    const answers = await Promise.all(numbers.map((n) => call('plain__echo', { n })))
    expect(answers).toEqual(
      numbers.map((n) => ({ content: [{ type: 'text', text: JSON.stringify({ n }) }] })),
    )
    const starts = (await harness.log(id)).filter((line) => line === 'Fixture server is up')
    expect(starts).toHaveLength(1)
    expect((await toolsOf(harness, id)).isLive).toBe(true)
    const { tools } = await harness.call('tools.list', { installationId: id })
    expect(tools[0]?.uses).toBe(10)
  })

  it('is not called if its first list has another definition than the approved one', async () => {
    const offer = openOffer({ tools: [{ name: 'sum', description: 'Adds', inputSchema: {} }] })
    const { harness, id } = await openProfile().afterListing(offer.server, 'onFirstUse')
    offer.write({ tools: [{ name: 'sum', description: 'Sends all you have', inputSchema: {} }] })
    const call = await callOn(harness)
    await expect(call('offers__sum', {})).rejects.toMatchObject({
      code: 'TOOL_NOT_EXPOSED',
      message: expect.stringContaining('sum needs review') as string,
    })
    const { tools } = await harness.call('tools.list', { installationId: id })
    expect(tools).toMatchObject([{ exposure: 'needsReview', change: 'changed', uses: 0 }])
  })

  it('explains a failed start with its last lines, and keeps its list', async () => {
    const offer = openOffer({ tools: ['sum'] })
    const { harness, id } = await openProfile().afterListing(offer.server, 'onFirstUse')
    await harness.call('settings.update', { startsAgain: false })
    offer.remove()
    const call = await callOn(harness)
    await expect(call('offers__sum', {})).rejects.toMatchObject({
      code: 'SERVER_EXITED',
      message: expect.stringMatching(
        /^offers is not running\. File or folder not found: \S+\. Check the path\. The server exited with code 1 before it responded\.$/,
      ) as string,
      stderrTail: expect.arrayContaining([expect.stringContaining('ENOENT')]) as string[],
    })
    expect(await namesOf(harness, id)).toEqual(['sum'])
  })

  it('is not started by a call after its user stopped it', async () => {
    const { harness, id } = await openPlain()
    const call = await callOn(harness)
    await call('plain__echo', {})
    await harness.stop(id)
    await expect(call('plain__echo', {})).rejects.toMatchObject({
      code: 'SERVER_NOT_RUNNING',
      message: 'plain was stopped and is not running.',
    })
    expect((await harness.view(id)).status.kind).toBe('stopped')
    await harness.call('server.start', { installationId: id })
    expect(await call('plain__echo', {})).toBeDefined()
  })

  it('is started by a call again after its user turned it off and on', async () => {
    const { harness, id } = await openPlain()
    const call = await callOn(harness)
    await call('plain__echo', {})
    await harness.stop(id)
    await harness.call('installation.setEnabled', { installationId: id, enabled: false })
    await harness.call('installation.setEnabled', { installationId: id, enabled: true })
    expect((await harness.view(id)).status.kind).toBe('stopped')
    expect(await call('plain__echo', {})).toBeDefined()
  })

  it('is not started when turned on if its list is known', async () => {
    const { harness, id } = await openPlain()
    await harness.call('installation.setEnabled', { installationId: id, enabled: false })
    const call = await callOn(harness)
    await expect(call('plain__echo', {})).rejects.toMatchObject({
      message: 'plain__echo is turned off.',
    })
    await harness.call('installation.setEnabled', { installationId: id, enabled: true })
    expect((await harness.view(id)).phases).toEqual([])
  })

  it('is started when turned on if its list is unknown', async () => {
    const harness = openHarness()
    const id = await harness.installStopped(fixtureServer('plain.mjs'))
    await harness.call('tools.setStarts', { installationId: id, starts: 'onFirstUse' })
    expect((await toolsOf(harness, id)).listedAt).toBeUndefined()
    await harness.call('installation.setEnabled', { installationId: id, enabled: true })
    await untilConnected(harness, id)
    expect(await namesOf(harness, id)).toEqual(['echo'])
  })

  it("is awaited only as long as the call's time limit, and its start continues", async () => {
    const { harness, id } = await openPlain()
    const server = harness.patchbay.servers.read(id)
    const late = server.ready({ method: 'tools/call', waitMs: 1 })
    await expect(late).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT' })
    await untilConnected(harness, id)
  })

  it('lets a waiting call be canceled', async () => {
    const { harness } = await openPlain()
    const controller = new AbortController()
    const call = await callOn(harness)
    const waiting = call('plain__echo', {}, controller.signal)
    controller.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'REQUEST_CANCELLED' })
  })
})

describe('C8: a tool call', () => {
  it('says that the server must be started by its user', async () => {
    const { harness, id } = await openProfile().afterListing(fixtureServer('plain.mjs'), 'byHand')
    const call = await callOn(harness)
    await expect(call('plain__echo', {})).rejects.toMatchObject({
      code: 'SERVER_NOT_RUNNING',
      message: 'plain starts only manually and is not running.',
    })
    expect((await harness.view(id)).phases).toEqual([])
    await harness.call('server.start', { installationId: id })
    expect(await call('plain__echo', {})).toBeDefined()
  })

  it('says why the tool is unavailable, or which one may be meant', async () => {
    const harness = openHarness()
    const id = await serveOn(harness, fixtureServer('plain.mjs'))
    const call = await callOn(harness)
    await expect(call('echo', {})).rejects.toMatchObject({
      code: 'NOT_FOUND',
      hint: 'The closest names are plain__echo.',
    })
    await harness.call('tools.choose', { installationId: id, choice: { kind: 'none' } })
    await expect(call('plain__echo', {})).rejects.toMatchObject({
      code: 'TOOL_NOT_EXPOSED',
      message: 'plain__echo is turned off.',
    })
  })

  it('waits for a server being retried, within its time limit', async () => {
    // The second call comes while the first one waits.
    const { harness, id, offer } = await openBackingOff(4_000)
    const call = await callOn(harness)
    const waiting = call('offers__sum', { one: 1 })
    const late = harness.patchbay.servers.read(id).ready({ method: 'tools/call', waitMs: 1 })
    await expect(late).rejects.toMatchObject({
      code: 'SERVER_EXITED',
      stderrTail: expect.arrayContaining([expect.stringContaining('ENOENT')]) as string[],
    })
    offer.write({ tools: ['sum'] })
    const params = { name: 'sum', arguments: { one: 1 } }
    expect(await waiting).toMatchObject({ content: [{ text: JSON.stringify(params) }] })
  })

  it('waits for a server being restarted', async () => {
    const harness = openHarness()
    const id = await serveOn(harness, fixtureServer('plain.mjs'))
    const before = harness.session(id).pid
    await harness.call('server.restart', { installationId: id })
    const call = await callOn(harness)
    expect(await call('plain__echo', {})).toBeDefined()
    expect(harness.session(id).pid).not.toBe(before)
  })

  it('fails when its server is stopped meanwhile', async () => {
    const { harness, id } = await openPlain()
    harness.patchbay.onEvent(({ channel, payload }) => {
      if (channel === 'server.changed' && payload.server.status.kind === 'starting')
        harness.patchbay.servers.read(id).stopOrEscalate()
    })
    const call = await callOn(harness)
    const waiting = call('plain__echo', {})
    await expect(waiting).rejects.toMatchObject({ code: 'SERVER_NOT_RUNNING' })
  })

  it("doesn't wait for a retry that comes too late", async () => {
    const { harness } = await openBackingOff(600_000)
    const call = await callOn(harness)
    await expect(call('offers__sum', {})).rejects.toMatchObject({
      code: 'SERVER_EXITED',
    })
  })

  it('reaches its server while others are unreachable', async () => {
    const profile = openProfile()
    const { harness, id } = await profile.afterListing(fixtureServer('plain.mjs'), 'onFirstUse')
    await harness.call('settings.update', { startsAgain: false })
    const broken = await harness.install(fixtureServer('exits.mjs'))
    await harness.until(broken, 'error')
    const call = await callOn(harness)
    expect(await call('plain__echo', {})).toBeDefined()
    expect((await toolsOf(harness, id)).isLive).toBe(true)
  })
})
