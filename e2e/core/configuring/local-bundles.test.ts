import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { openLocal, setUpTelling, shelved, startOf } from '../../fixtures/local-bundle'
import { makeBundle, sha256Of, TELLING_FILES, tellingBundle } from '../../fixtures/make-bundle'
import { openHarness } from '../../fixtures/open-harness'
import { tempFolder } from '../../fixtures/temp-folder'
import { zipBytes } from '../../fixtures/zip-bytes'

const PACKAGE = { kind: 'package', index: 0 } as const

describe('A1: a local bundle', () => {
  it('is opened, set up, and runs as its manifest says', async () => {
    const harness = openHarness()
    const bytes = await tellingBundle()
    const hash = sha256Of(bytes)
    const opened = await openLocal(harness, bytes)
    expect(opened).toMatchObject({
      title: 'Telling bundle',
      version: '1.2.0',
      author: 'A publisher',
      sha256: hash,
      isVerified: false,
      fileBytes: bytes.length,
      files: 3,
      notices: [],
    })
    const installationId = await setUpTelling(harness, opened)
    await harness.until(installationId, 'ready')
    const folder = join(harness.profileDir, 'bundles', hash)
    expect(await startOf(harness, installationId)).toEqual({
      args: ['--mode=calm', '/tmp/a b', '/', '--limit', '10', 'a {brace}'],
      cwd: folder,
      env: { API_KEY: 's3cret-key', VERBOSE: 'false' },
    })
    expect(JSON.stringify(harness.memory.document)).not.toContain('s3cret-key')
    expect((await harness.log(installationId)).join('\n')).not.toContain('s3cret-key')
    expect(shelved(harness)).toEqual([hash, `${hash}.json`])
  })

  it("opens with its publisher's signature at the end", async () => {
    const harness = openHarness()
    const signature = `MCPB_SIG_V1${'s'.repeat(5_000)}MCPB_SIG_END`
    const bytes = Buffer.concat([await tellingBundle(), Buffer.from(signature)])
    expect(await openLocal(harness, bytes)).toMatchObject({
      sha256: sha256Of(bytes),
      files: 3,
    })
  })

  it("accepts no number outside its manifest's bounds, even later", async () => {
    const before = openHarness()
    const opened = await openLocal(before, await tellingBundle())
    const refusal = {
      code: 'INVALID_VALUES',
      message: 'Not saved. Limit: Enter a number from 1 to 99.',
    }
    const tooMuch = setUpTelling(before, opened, { set_limit: '100' })
    await expect(tooMuch).rejects.toMatchObject(refusal)
    const installationId = await setUpTelling(before, opened, { set_limit: '99' })
    await before.until(installationId, 'ready')
    await before.patchbay.close()

    const harness = openHarness(before.memory, { profileDir: before.profileDir })
    const { name, values } = await harness.call('installation.read', { installationId })
    const draft = { installationId, name, values: { ...values, set_limit: '100' }, budgets: {} }
    await expect(harness.call('installation.update', draft)).rejects.toMatchObject(refusal)
  })

  it("suggests its manifest's folders if there are several", async () => {
    const harness = openHarness()
    const folders = { type: 'directory', multiple: true, default: ['/one', '/two'] }
    const user_config = { api_key: { type: 'string' }, folders }
    const { entryId } = await openLocal(harness, await tellingBundle({ user_config }))
    const { proposed } = await harness.call('catalog.read', { entryId })
    expect(proposed).toEqual({ set_folders: ['/one', '/two'] })
    const installationId = await setUpTelling(harness, { entryId })
    const copy = await harness.call('catalog.readInstalled', { installationId })
    expect(copy.proposed).toEqual(proposed)
  })

  it("names a few placeholders that its manifest doesn't explain, and counts the rest", async () => {
    const args = Array.from({ length: 60 }, (_, index) => `\${x${String(index)}${'y'.repeat(200)}}`)
    const server = { type: 'node', mcp_config: { command: 'node', args } }
    const { notices } = await openLocal(openHarness(), await tellingBundle({ server }))
    expect(notices).toHaveLength(6)
    expect(notices.at(-1)).toBe('The same applies to 55 more.')
    expect(Math.max(...notices.map(({ length }) => length))).toBeLessThan(200)
  })

  it('starts again without its file after a restart of the app', async () => {
    const before = openHarness()
    const path = join(tempFolder('bundle'), 'local.mcpb')
    writeFileSync(path, await tellingBundle())
    const opened = await before.call('bundle.openFile', { openingId: 'one', path })
    const installationId = await setUpTelling(before, opened)
    await before.until(installationId, 'ready')
    rmSync(path)
    await before.patchbay.close()
    const harness = openHarness(before.memory, { profileDir: before.profileDir })
    await harness.until(installationId, 'ready')
  })

  it('is not started if its folder is damaged, and is restored when reopened', async () => {
    const harness = openHarness()
    const bytes = await tellingBundle()
    const installationId = await setUpTelling(harness, await openLocal(harness, bytes))
    await harness.until(installationId, 'ready')
    await harness.stop(installationId)
    rmSync(join(harness.profileDir, 'bundles', sha256Of(bytes)), { recursive: true })
    await harness.call('server.start', { installationId })
    const { status } = await harness.until(installationId, 'error')
    expect(status).toMatchObject({ code: 'INVALID_BUNDLE' })
    await openLocal(harness, bytes)
    await harness.call('server.start', { installationId })
    await harness.until(installationId, 'ready')
  })

  it('is deleted with its last installation', async () => {
    const harness = openHarness()
    const opened = await openLocal(harness, await tellingBundle())
    const first = await setUpTelling(harness, opened)
    await harness.until(first, 'ready')
    await harness.call('installation.remove', { installationId: first, deleteSecrets: true })
    await expect.poll(() => shelved(harness)).toEqual([])
  })

  it('needs approval again if another file has the same command', async () => {
    const harness = openHarness()
    const hashes = await Promise.all(
      ['1.2.0', '1.2.1'].map(async (version) => {
        const manifest = {
          name: 'npx-bundle',
          version: '1.0.0',
          description: version,
          server: { type: 'node', mcp_config: { command: 'node', args: ['-e', '0'] } },
        }
        const bytes = await makeBundle({ 'manifest.json': JSON.stringify(manifest) })
        const { entryId } = await openLocal(harness, bytes, version)
        const cwd = '/tmp'
        return harness.call('launch.preview', { of: { entryId, offer: PACKAGE }, values: {}, cwd })
      }),
    )
    const [first, second] = hashes
    expect(first?.kind === 'command' && second?.kind === 'command').toBe(true)
    expect(first?.planHash).not.toBe(second?.planHash)
  })

  it('starts its own program, even if its archive lacks the executable bit', async () => {
    const harness = openHarness()
    const script = `#!/bin/sh\nexec ${process.execPath} "$(dirname "$0")/tells.mjs" "$@"\n`
    const binary = await makeBundle({
      ...TELLING_FILES,
      'manifest.json': JSON.stringify({
        name: 'binary',
        version: '1.0.0',
        server: {
          type: 'binary',
          entry_point: 'server/run',
          mcp_config: { command: 'server/run', args: ['one'] },
        },
      }),
      'server/run': script,
    })
    const { entryId } = await openLocal(harness, binary)
    const entry = await harness.call('catalog.read', { entryId })
    const installationId = await harness.setUp(entry)
    await harness.until(installationId, 'ready')
    expect(await startOf(harness, installationId)).toMatchObject({ args: ['one'] })
  })

  it('has a status, not an exception, if its program may not run', async () => {
    const harness = openHarness()
    const manifest = {
      name: 'x',
      version: '1',
      server: { type: 'node', mcp_config: { command: '/no/such/program' } },
    }
    const bytes = await makeBundle({ 'manifest.json': JSON.stringify(manifest) })
    const { entryId } = await openLocal(harness, bytes)
    const installationId = await harness.setUp(await harness.call('catalog.read', { entryId }))
    const { status } = await harness.until(installationId, 'error')
    expect(status).toMatchObject({ code: 'COMMAND_NOT_FOUND' })
  })

  it.each([
    ['no archive', Buffer.from('text'), 'INVALID_BUNDLE'],
    ['no manifest', zipBytes([{ name: 'a', data: 'x' }]), 'INVALID_BUNDLE'],
    ['a bad manifest', zipBytes([{ name: 'manifest.json', data: '{}' }]), 'INVALID_BUNDLE'],
    [
      'a manifest in a folder',
      zipBytes([{ name: 'a/manifest.json', data: '{}' }]),
      'INVALID_BUNDLE',
    ],
    ['a way out', zipBytes([{ name: '../x', data: 'x' }]), 'INVALID_BUNDLE'],
  ])('is rejected with %s, without leaving anything behind', async (_, bytes, code) => {
    const harness = openHarness()
    await expect(openLocal(harness, bytes)).rejects.toMatchObject({ code })
    expect(shelved(harness)).toEqual([])
  })

  it('is rejected on an unsupported platform', async () => {
    const harness = openHarness()
    const other = process.platform === 'win32' ? 'linux' : 'win32'
    const bytes = await tellingBundle({ compatibility: { platforms: [other] } })
    await expect(openLocal(harness, bytes)).rejects.toMatchObject({
      code: 'UNSUPPORTED_PACKAGE',
    })
    expect(shelved(harness)).toEqual([])
  })
})
