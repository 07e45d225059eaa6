import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { setUpTelling, startOf } from '../../fixtures/local-bundle'
import { tellingBundle } from '../../fixtures/make-bundle'
import { openHarness } from '../../fixtures/open-harness'

const REMOTE = { type: 'sse', url: 'https://notes.example/{team}', headers: [] }
const NOTES = {
  name: 'test.fixture/notes',
  version: '1.0.0',
  packages: [{ registryType: 'npm', identifier: 'notes', transport: { type: 'stdio' } }],
  remotes: [{ ...REMOTE, url: 'https://other.example' }, REMOTE],
}

describe('D4: a duplicate of a server', () => {
  it("is set up from the original's entry, whatever the catalog lists now", async () => {
    const harness = openHarness()
    const { entryId } = await harness.paste(NOTES)
    const offer = { kind: 'remote', index: 1 } as const
    const draft = { offer, values: { url_url_team: 'a' }, start: false }
    const { installationId } = await harness.call('installation.create', {
      ...draft,
      entryId,
      name: 'One',
    })
    await harness.patchbay.close()
    const later = openHarness(harness.memory, { profileDir: harness.profileDir })
    const entry = await later.call('catalog.readInstalled', { installationId })
    expect(entry).toMatchObject({ source: 'pasted', server: { remotes: [{}, REMOTE] } })
    await later.call('installation.create', { ...draft, entryId: entry.entryId, name: 'Two' })
    await expect(
      later.call('catalog.readInstalled', { installationId: crypto.randomUUID() }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it("of a bundle runs without the bundle's file", async () => {
    const harness = openHarness()
    const folder = mkdtempSync(join(tmpdir(), 'patchbay-copies-'))
    const path = join(folder, 'local.mcpb')
    writeFileSync(path, await tellingBundle())
    const opened = await harness.call('bundle.openFile', { openingId: 'one', path })
    rmSync(folder, { recursive: true })
    const first = await setUpTelling(harness, opened)
    await harness.until(first, 'ready')
    const entry = await harness.call('catalog.readInstalled', { installationId: first })
    const values = { set_api_key: 's3cret-key', set_folders: ['/tmp/a b', '/'] }
    const second = await harness.setUp(entry, { name: 'Another', values })
    await harness.until(second, 'ready')
    expect(await startOf(harness, second)).toEqual(await startOf(harness, first))
  })
})
