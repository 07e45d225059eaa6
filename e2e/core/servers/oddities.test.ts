import { describe, expect, it } from 'vitest'

import { fixtureServer } from '../../fixtures/fixture-server'
import { isTreeAlive } from '../../fixtures/is-tree-alive'
import { openHarness, openHarnessWith } from '../../fixtures/open-harness'
import { pause } from '../../fixtures/pause'

describe('B7 and B10: a server that ends partially', () => {
  it('is an error immediately if it closes its output but keeps running, and is ended', async () => {
    const harness = await openHarnessWith({ startsAgain: false })
    const installationId = await harness.install(fixtureServer('mute.mjs'))
    const pid = await harness.untilPid(installationId)
    const { status } = await harness.until(installationId, 'error')
    expect(status).toMatchObject({
      code: 'SERVER_EXITED',
      message: 'The server closed its output before it responded.',
      stderrTail: ['Not a word from me'],
    })
    expect(isTreeAlive(pid)).toBe(false)
  })

  it('has its exit code if it closes its pipes first and exits a moment later', async () => {
    const harness = await openHarnessWith({ startsAgain: false })
    const installationId = await harness.install(fixtureServer('goes-slowly.mjs'))
    const { status } = await harness.until(installationId, 'error')
    expect(status).toMatchObject({
      code: 'SERVER_EXITED',
      message: 'The server exited with code 3 before it responded.',
      stderrTail: ['No more of this'],
    })
  })

  it('is an error immediately if it closes its output in use, and is ended', async () => {
    const harness = await openHarnessWith({ startsAgain: false })
    const installationId = await harness.install(fixtureServer('mute.mjs', { args: ['later'] }))
    const { pid } = await harness.until(installationId, 'ready')
    const { status } = await harness.until(installationId, 'error')
    expect(status).toMatchObject({
      code: 'SERVER_EXITED',
      message: 'The server closed its output while in use.',
    })
    await expect.poll(() => isTreeAlive(pid ?? 0)).toBe(false)
  })

  it("isn't stopped before its remaining processes are gone", async () => {
    const harness = await openHarnessWith({ startsAgain: false })
    const installationId = await harness.install(fixtureServer('family.mjs'))
    const { pid } = await harness.until(installationId, 'ready')
    process.kill(pid ?? 0, 'SIGKILL')
    await harness.until(installationId, 'error')
    expect(isTreeAlive(pid ?? 0)).toBe(true)
    await harness.stop(installationId)
    expect(isTreeAlive(pid ?? 0)).toBe(false)
  })

  it("isn't started again before the first process is gone", async () => {
    const harness = await openHarnessWith({ startsAgain: false })
    const installationId = await harness.install(fixtureServer('family.mjs'))
    const { pid } = await harness.until(installationId, 'ready')
    process.kill(pid ?? 0, 'SIGKILL')
    await harness.until(installationId, 'error')
    await harness.call('server.start', { installationId })
    const second = await harness.untilPid(installationId)
    expect(second).not.toBe(pid)
    expect(isTreeAlive(pid ?? 0)).toBe(false)
  })

  it('is an error immediately if it closes its input', async () => {
    const harness = await openHarnessWith({ startsAgain: false })
    const installationId = await harness.install(fixtureServer('deaf.mjs'))
    const pid = await harness.untilPid(installationId)
    const { status, phases } = await harness.until(installationId, 'error')
    expect(status).toMatchObject({ code: 'SERVER_EXITED' })
    expect(phases.at(-1)).toMatchObject({ outcome: 'failed' })
    expect(isTreeAlive(pid)).toBe(false)
  })

  it('shows its own message if it rejects the handshake', async () => {
    const harness = await openHarnessWith({ startsAgain: false })
    const installationId = await harness.install(fixtureServer('refuses.mjs'))
    const { status } = await harness.until(installationId, 'error')
    expect(status).toMatchObject({ code: 'HANDSHAKE_FAILED' })
    expect(JSON.stringify(status)).toContain('No licence for this machine')
  })
})

describe('C1: long lists', () => {
  it.each([
    ['endless', 100, 'Tools: the list has more than 100 pages, and the rest is ignored.'],
    ['circle', 3, 'Tools: the server repeated a cursor, so the list stops there.'],
  ])('stop (%s) after %i requests, keep what came and say so', async (mode, requests, notice) => {
    const harness = openHarness()
    const installationId = await harness.install(fixtureServer('pages.mjs', { args: [mode] }))
    const view = await harness.until(installationId, 'degraded')
    expect(view.status).toEqual({ kind: 'degraded', warnings: [notice] })
    expect(view.counts.tools).toBe(requests)
    const listings = (await harness.log(installationId)).filter((line) =>
      line.startsWith('listing'),
    )
    expect(listings).toHaveLength(requests)
  })
})

describe('C1: changing lists', () => {
  it('show the newest, even if an older answer comes late', async () => {
    const harness = openHarness()
    const installationId = await harness.installReady(fixtureServer('changes.mjs'))
    const names = async (): Promise<string[]> => {
      const { tools } = await harness.call('server.capabilities', { installationId })
      return tools.map(({ name }) => name)
    }
    await expect.poll(names).toEqual(['new'])
    // The older answer comes a second late.
    await pause(1_500)
    expect(await names()).toEqual(['new'])
  })
})
