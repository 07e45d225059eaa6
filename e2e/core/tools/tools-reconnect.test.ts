import { describe, expect, it } from 'vitest'

import type { ToolExposure, ToolView } from '../../../src-shared/domain/agents/tools'
import { openHarness } from '../../fixtures/open-harness'
import { namesOf, openOffer } from '../../fixtures/tools-harness'

describe('C2: a reconnect', () => {
  it("keeps the old session's list until the new one is Ready", async () => {
    const offer = openOffer({ tools: ['one'] })
    const harness = openHarness()
    const id = await harness.installReady(offer.server)
    const before = harness.session(id).pid
    const seen: number[] = []
    const following = harness.patchbay.onEvent(({ channel, payload }) => {
      if (channel === 'tools.changed') seen.push(payload.tools.exposed)
      if (channel === 'server.changed') seen.push(payload.server.counts.tools)
    })
    await harness.call('server.reconnect', { installationId: id })
    expect(await namesOf(harness, id)).toEqual(['one'])
    await expect.poll(() => harness.session(id).pid).not.toBe(before)
    following[Symbol.dispose]()
    expect(new Set(seen)).toEqual(new Set([1]))
    expect(await namesOf(harness, id)).toEqual(['one'])
  })
})

describe('C2: reconnects', () => {
  it('replace lists without losing tools meanwhile', async () => {
    const files = openOffer({ tools: ['a1', 'a2'], quiet: true })
    const notes = openOffer({ tools: ['b1', 'b2', 'b3'], quiet: true })
    const harness = openHarness()
    const ids = [
      await harness.install(files.server, { name: 'Files' }),
      await harness.install(notes.server, { name: 'Notes' }),
    ]
    const toolsThatAre = async (exposure: ToolExposure): Promise<ToolView[]> => {
      const { tools } = await harness.call('tools.list', {})
      return tools.filter((tool) => tool.exposure === exposure)
    }
    const namesThatAre = async (exposure: ToolExposure): Promise<(string | undefined)[]> =>
      (await toolsThatAre(exposure)).map(({ exposedName }) => exposedName)
    const review = async (decision: 'approve' | 'reject', seen: ToolView[]): Promise<void> => {
      for (const installationId of ids) {
        const tools = seen.filter((tool) => tool.installationId === installationId)
        await harness.call('tools.review', { installationId, decision, tools })
      }
    }
    const full = ['Files__a1', 'Files__a2', 'Notes__b1', 'Notes__b2', 'Notes__b3']
    await expect.poll(() => namesThatAre('exposed')).toEqual(full)
    // The user has seen the first list; later ones need review.
    await review('reject', await toolsThatAre('exposed'))
    await review('approve', await toolsThatAre('rejected'))
    expect(await namesThatAre('exposed')).toEqual(full)

    files.write({ tools: ['a2', 'a3'], quiet: true })
    notes.write({ tools: ['b2', 'b1', 'b3', 'b4'], quiet: true })
    const seen: (string | undefined)[][] = []
    const counts: number[] = []
    const following = harness.patchbay.onEvent(({ channel, payload }) => {
      if (channel === 'tools.changed') counts.push(payload.tools.exposed)
      void namesThatAre('exposed').then((names) => seen.push(names))
    })
    const pids = ids.map((id) => harness.session(id).pid)
    await Promise.all(
      ids.map((installationId) => harness.call('server.reconnect', { installationId })),
    )
    for (const [index, id] of ids.entries())
      await expect.poll(() => harness.session(id).pid).not.toBe(pids[index])
    await expect.poll(() => namesThatAre('needsReview')).toEqual(['Files__a3', 'Notes__b4'])
    const after = ['Files__a2', 'Notes__b2', 'Notes__b1', 'Notes__b3']
    expect(await namesThatAre('exposed')).toEqual(after)
    await expect.poll(() => counts.length).toBeGreaterThan(0)
    following[Symbol.dispose]()
    for (const names of seen) {
      expect(names).toEqual(expect.arrayContaining(after))
    }
    expect(seen.length).toBeGreaterThan(2)
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(4)

    await review('approve', await toolsThatAre('needsReview'))
    expect(await namesThatAre('exposed')).toEqual([
      'Files__a2',
      'Files__a3',
      'Notes__b2',
      'Notes__b1',
      'Notes__b3',
      'Notes__b4',
    ])
  })
})
