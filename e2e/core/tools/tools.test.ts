import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import type { ToolsState } from '../../../src-shared/domain/agents/tools'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { fixtureServer } from '../../fixtures/fixture-server'
import type { Harness } from '../../fixtures/harness'
import { HeldWaits } from '../../fixtures/held-waits'
import { openHarness } from '../../fixtures/open-harness'
import { pause } from '../../fixtures/pause'
import {
  namesOf,
  openOffer,
  openProfile,
  serveOn,
  toolsOf,
  untilConnected,
} from '../../fixtures/tools-harness'

async function listingsIn(harness: Harness, installationId: string): Promise<string[]> {
  return (await harness.log(installationId)).filter((line) => line.startsWith('listed '))
}

describe('C1: changing lists', () => {
  it('are read again, each on its own', async () => {
    const offer = openOffer({ tools: ['one'], resources: ['note'], prompts: [] })
    const harness = openHarness()
    const id = await serveOn(harness, offer.server)
    // The server prints it on stderr, next to its answers.
    await expect
      .poll(async () => (await listingsIn(harness, id)).toSorted())
      .toEqual(['listed prompts', 'listed resources', 'listed tools'])
    offer.write({ tools: ['one', 'two'], resources: ['note'], prompts: [] })
    await expect.poll(() => namesOf(harness, id)).toEqual(['one', 'two'])
    offer.write({ tools: ['one', 'two'], resources: ['note'], prompts: ['ask'] })
    await expect.poll(async () => (await harness.view(id)).counts.prompts).toBe(1)
    await expect
      .poll(async () => (await listingsIn(harness, id)).slice(3))
      .toEqual(['listed tools', 'listed prompts'])
  })

  it('are another listing for the page even with equal counts', async () => {
    const offer = openOffer({ tools: ['one'] })
    const harness = openHarness()
    const id = await harness.install(offer.server)
    const before = await harness.until(id, 'ready')
    const sent: ServerView[] = []
    harness.patchbay.onEvent(({ channel, payload }) => {
      if (channel === 'server.changed') sent.push(payload.server)
    })
    offer.write({ tools: ['other'] })
    await expect.poll(() => sent.at(-1)?.listing).toBe(before.listing + 1)
    expect(sent.at(-1)).toMatchObject({ counts: before.counts, upSince: before.upSince })
    const { tools } = await harness.call('server.capabilities', { installationId: id })
    expect(tools.map(({ name }) => name)).toEqual(['other'])
  })

  it("stay if they can't be read again, with a notice until they can", async () => {
    const offer = openOffer({ tools: ['one'] })
    const harness = openHarness()
    const id = await harness.installReady(offer.server)
    const { listedAt } = await toolsOf(harness, id)
    offer.write({ tools: ['two'], fails: ['tools'] })
    const { status } = await harness.until(id, 'degraded')
    expect(status).toMatchObject({
      warnings: [
        'Tools: the list couldn’t be refreshed (The shelf is locked). The previous list is shown.',
      ],
    })
    expect(await namesOf(harness, id)).toEqual(['one'])
    expect((await toolsOf(harness, id)).listedAt).toBe(listedAt)
    offer.write({ tools: ['three'] })
    await harness.until(id, 'ready')
    expect(await namesOf(harness, id)).toEqual(['three'])
  })

  it('are limited to ten megabytes, with a notice', async () => {
    const description = 'x'.repeat(1024 * 1024)
    const tools = Array.from({ length: 12 }, (_, n) => {
      return { name: `tool_${n}`, description, inputSchema: {} }
    })
    const harness = openHarness()
    const id = await harness.install(openOffer({ tools, prompts: ['ask'] }).server)
    const { status, counts } = await harness.until(id, 'degraded')
    expect(counts).toMatchObject({ tools: 9, prompts: 1 })
    expect(status).toMatchObject({
      warnings: [
        'Tools: the list is larger than 10 MB, and elements from number 10 on are ignored.',
      ],
    })
  })

  it('omit deeply nested elements, with a notice', async () => {
    let inputSchema: object = {}
    for (let depth = 0; depth < 200; depth += 1) inputSchema = { properties: { a: inputSchema } }
    const harness = openHarness()
    const deep = { name: 'deep', inputSchema }
    const id = await harness.install(openOffer({ tools: ['one', deep, 'two'] }).server)
    const { status } = await harness.until(id, 'degraded')
    expect(status).toMatchObject({
      warnings: ['Tools: number 2 was ignored: nested more than 128 levels deep.'],
    })
    expect(await namesOf(harness, id)).toEqual(['one', 'two'])
  })
})

describe('C8: the last known list on disk', () => {
  it('survives a killed app, readable by its account only', async () => {
    const profile = openProfile()
    const harness = profile.open()
    const id = await serveOn(harness, fixtureServer('plain.mjs'))
    // Nothing is closed, so the disk is as after a kill.
    await expect.poll(() => profile.files()).toEqual([`${id}.listing.json`])
    const folder = join(profile.folder, 'tools')
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, `${id}.listing.json`)).mode & 0o777).toBe(0o600)
    const again = profile.open()
    await expect.poll(() => namesOf(again, id)).toEqual(['echo'])
  })

  it('is deleted with the installation', async () => {
    const profile = openProfile()
    const { harness, id } = await profile.afterListing(fixtureServer('plain.mjs'), 'byHand')
    expect(profile.files()).toHaveLength(1)
    await harness.call('installation.remove', { installationId: id, deleteSecrets: true })
    expect(profile.files()).toEqual([])
    const { tools } = await harness.call('app.snapshot', {})
    expect(tools).toMatchObject({ exposed: 0, servers: [] })
  })

  it('is ignored with a notice if its file contains something else, which stays', async () => {
    const profile = openProfile()
    const { harness, id } = await profile.afterListing(fixtureServer('plain.mjs'), 'byHand')
    await harness.patchbay.close()
    const file = join(profile.folder, 'tools', `${id}.listing.json`)
    writeFileSync(file, '{"version":1,"listing":')
    const again = profile.open()
    const titles = async (): Promise<string[]> =>
      (await again.call('app.snapshot', {})).notices.map(({ title }) => title)
    const title = 'The tools of plain are unknown until it runs'
    await expect.poll(titles).toContain(title)
    expect(await namesOf(again, id)).toEqual([])
    expect(statSync(file).size).toBe(23)
    await again.call('server.start', { installationId: id })
    await expect.poll(() => namesOf(again, id)).toEqual(['echo'])
    await expect.poll(() => statSync(file).size).toBeGreaterThan(100)
  })
})

describe('C5: tool events', () => {
  it('are few, even when many servers become Ready', async () => {
    const harness = openHarness()
    const sent: number[] = []
    harness.patchbay.onEvent(({ channel, payload }) => {
      if (channel === 'tools.changed') sent.push(payload.tools.exposed)
    })
    const names = Array.from({ length: 6 }, (_, n) => `Server ${n}`)
    // The pause after each event collects the following ones.
    using rest = new HeldWaits(150)
    const ids = await Promise.all(
      names.map((name) => harness.install(fixtureServer('plain.mjs'), { name })),
    )
    for (const id of ids) await untilConnected(harness, id)
    expect(sent).toEqual([0])
    rest.end()
    expect(sent).toEqual([0, 6])
    const { tools } = await harness.call('app.snapshot', {})
    expect(tools.servers.map(({ alias }) => alias)).toEqual(names.map((n) => n.replace(' ', '-')))
  })

  it("don't repeat for unrelated changes", async () => {
    const harness = openHarness()
    let newest: ToolsState | undefined
    let sent = 0
    harness.patchbay.onEvent(({ channel, payload }) => {
      if (channel !== 'tools.changed') return
      newest = payload.tools
      sent += 1
    })
    const id = await serveOn(harness, fixtureServer('plain.mjs'))
    const { tools } = await harness.call('app.snapshot', {})
    const { generation } = tools
    await expect.poll(() => newest).toEqual(tools)
    sent = 0
    await harness.call('settings.update', { theme: 'dark' })
    const budgets = { callMs: 9_000 }
    await harness.call('installation.update', {
      installationId: id,
      name: 'plain',
      values: {},
      budgets,
    })
    await pause(500)
    expect(sent).toBe(0)
    expect((await harness.call('app.snapshot', {})).tools.generation).toBe(generation)
    await harness.call('tools.setStarts', { installationId: id, starts: 'byHand' })
    await expect.poll(() => sent).toBe(1)
  })
})
