import { describe, expect, it } from 'vitest'

import { memoryBackend } from '../../../src-main/core/secrets/secret-vault'
import type { ServerTools } from '../../../src-shared/domain/agents/tools'
import { fixtureServer } from '../../fixtures/fixture-server'
import type { Harness } from '../../fixtures/harness'
import { openHarness } from '../../fixtures/open-harness'

/** Sets up a server with this many tools, turned off. */
async function setUp(harness: Harness, name: string, tools: number): Promise<string> {
  const server = fixtureServer('many-tools.mjs', { args: [String(tools)] })
  return harness.setUp(await harness.paste(server), { name, start: false })
}

async function turnOn(harness: Harness, installationId: string): Promise<void> {
  await harness.call('installation.setEnabled', { installationId, enabled: true })
  await expect.poll(async () => (await toolsOf(harness, installationId))?.isLive).toBe(true)
}

async function exposures(harness: Harness): Promise<string[]> {
  const { tools } = await harness.call('tools.list', {})
  return tools.map(({ exposedName, exposure }) => `${exposedName ?? ''} ${exposure}`)
}

async function toolsOf(harness: Harness, installationId: string): Promise<ServerTools | undefined> {
  const { tools } = await harness.call('app.snapshot', {})
  return tools.servers.find((one) => one.installationId === installationId)
}

describe('C4 and C2: exposed names', () => {
  it('are the same in whatever order servers become Ready', async () => {
    const seen: string[][] = []
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
    ]) {
      const harness = openHarness()
      const ids = [
        await setUp(harness, 'Papers', 2),
        await setUp(harness, 'papers!', 2),
        await setUp(harness, '書類', 3),
      ]
      for (const index of order) await turnOn(harness, ids[index] ?? '')
      seen.push(await exposures(harness))
    }
    expect(seen[0]).toEqual([
      'Papers__tool_0 exposed',
      'Papers__tool_1 exposed',
      'papers-2__tool_0 exposed',
      'papers-2__tool_1 exposed',
      'many-tools__tool_0 exposed',
      'many-tools__tool_1 exposed',
      'many-tools__tool_2 exposed',
    ])
    expect(seen[1]).toEqual(seen[0])
    expect(seen[2]).toEqual(seen[0])
  })

  it('stay when a server is renamed, and return when it is removed and set up again', async () => {
    const harness = openHarness()
    const other = await setUp(harness, 'Notes', 1)
    const id = await setUp(harness, 'Papers', 1)
    await turnOn(harness, id)
    const { revision } = await harness.call('installation.read', { installationId: id })
    const draft = { name: 'Notes of mine', values: {}, budgets: {}, revision }
    await harness.call('installation.update', { installationId: id, ...draft })
    expect((await harness.view(id)).name).toBe('Notes of mine')
    expect(await exposures(harness)).toEqual(['Papers__tool_0 exposed'])
    await harness.call('installation.remove', { installationId: id, deleteSecrets: true })
    expect(await exposures(harness)).toEqual([])
    const again = await setUp(harness, 'Papers', 1)
    await turnOn(harness, again)
    expect(await exposures(harness)).toEqual(['Papers__tool_0 exposed'])
    expect((await toolsOf(harness, other))?.alias).toBe('Notes')
  })
})

describe('C7: a tool selection', () => {
  it('survives a restart, and reports a selected name that the server lacks', async () => {
    const memory = { document: null, secrets: memoryBackend() }
    const first = openHarness(memory)
    const id = await setUp(first, 'Papers', 3)
    await turnOn(first, id)
    const choice = { kind: 'list' as const, names: ['tool_2', 'tool_9'] }
    await first.call('tools.choose', { installationId: id, choice })
    const chosen = ['Papers__tool_0 off', 'Papers__tool_1 off', 'Papers__tool_2 exposed']
    expect(await exposures(first)).toEqual(chosen)
    await first.patchbay.close()

    const second = openHarness(memory)
    await expect.poll(async () => (await toolsOf(second, id))?.isLive).toBe(true)
    expect(await exposures(second)).toEqual(chosen)
    expect(await toolsOf(second, id)).toMatchObject({ choice, missing: ['tool_9'], exposed: 1 })
  })
})
