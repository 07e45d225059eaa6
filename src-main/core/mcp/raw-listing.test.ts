import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, describe, expect, it } from 'vitest'

import { Desks } from '../../../e2e/fixtures/desk'
import { Offer, POLL, untilServing } from '../../../e2e/fixtures/tool-desk'

const RAW = {
  tools: [
    {
      name: 'draw',
      inputSchema: { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' },
      outputSchema: { type: 'object', properties: { ok: { type: 'boolean' } }, 'x-mine': 1 },
      icons: [{ src: 'data:image/png;base64,AA==', sizes: ['16x16'] }],
      execution: { taskSupport: 'optional' },
      annotations: { readOnlyHint: true, 'example.com/cost': 3 },
      _meta: { 'example.com/a': [1, { b: null }] },
      notes: 'unknown',
      'x-unknown': { deep: [1, null] },
    },
  ],
  resources: [
    {
      uri: 'memo://a b?c#d',
      name: 'a',
      size: 12,
      annotations: { audience: ['user'], priority: 0.5 },
      _meta: { x: 1 },
    },
  ],
  prompts: [
    { name: 'ask', _meta: { y: 1 }, icons: [{ src: 'https://example.com/i.svg' }] },
    { name: 'ask2', arguments: [{ name: 'topic', title: 'Topic', required: true }] },
  ],
}

describe('D6 what agents are given of a listing', () => {
  const desks = new Desks()
  const folders: string[] = []
  afterEach(async () => {
    await desks.closeAll()
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
  })

  it('is what the server wrote, also after a start without the server', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'patchbay-raw-'))
    folders.push(folder)
    const offer = new Offer(RAW)
    const memory = { document: null, secrets: desks.open().memory.secrets }
    const first = desks.open(memory, { profileDir: folder })
    const id = await first.install(offer.server)
    await untilServing(first, id)
    expect(first.session(id).capabilities).toMatchObject(RAW)
    expect(first.session(id).capabilities.prompts).toEqual(RAW.prompts)
    await first.call('tools.setStarts', { installationId: id, starts: 'byHand' })
    await first.patchbay.close()
    offer.close()

    const second = desks.open(memory, { profileDir: folder })
    await expect.poll(() => second.call('tools.list', {}), POLL).toMatchObject({ tools: [{}] })
    const { tool } = await second.call('tools.read', { installationId: id, name: 'draw' })
    expect(tool).toEqual(RAW.tools[0])
  })

  it('reaches a page with the fields that it knows alone', async () => {
    const offer = new Offer(RAW)
    const desk = desks.open()
    const installationId = await desk.install(offer.server)
    await untilServing(desk, installationId)
    const { tools, prompts } = await desk.call('server.capabilities', { installationId })
    expect(Object.keys(tools[0] ?? {})).not.toContain('_meta')
    expect(prompts[0]).toEqual({ name: 'ask', title: undefined, description: undefined })
    offer.close()
  })
})
