import { join } from 'node:path'

import { beforeEach, describe, expect, it } from 'vitest'

import type { OpenedBundle } from '../../../src-shared/domain/installation/bundle'
import { builtThread } from '../../fixtures/built-program'
import type { Harness } from '../../fixtures/harness'
import { openLocal, setUpTelling, shelved, startOf } from '../../fixtures/local-bundle'
import { serveHttp } from '../../fixtures/loopback'
import { sha256Of, tellingBundle } from '../../fixtures/make-bundle'
import { openHarness } from '../../fixtures/open-harness'
import { ending } from '../../fixtures/supervised'
import { openTestRegistry } from '../../fixtures/test-catalog'

const PACKAGE = { kind: 'package', index: 0 } as const
/** Loopback stands in for https; the production rule has its own test. */
const extra = { mayFetchBundle: ({ hostname }: URL) => hostname === '127.0.0.1' }

let address: string
const files = new Map<string, Buffer>()
const createCatalogWorker = builtThread('catalog')

beforeEach(async () => {
  const server = await serveHttp(({ url = '' }, response) => response.end(files.get(url)))
  address = ending(server).address
})

/** 1.2.0 and a version with one setting less, a new one, and one more argument. */
const bytesOf = {
  old: () => tellingBundle(),
  newer: () =>
    tellingBundle({
      version: '1.3.0',
      server: {
        type: 'node',
        entry_point: 'server/tells.mjs',
        mcp_config: {
          command: 'node',
          args: [
            '${__dirname}/server/tells.mjs',
            '--safe',
            '${user_config.folders}',
            '${user_config.more}',
          ],
          env: { API_KEY: '${user_config.api_key}' },
        },
      },
      user_config: {
        api_key: { type: 'string', title: 'Access key', sensitive: true, required: true },
        folders: { type: 'directory', title: 'Folders to use', multiple: true, required: true },
        more: { type: 'directory', title: 'More', multiple: true, default: ['/one', '/two'] },
      },
    }),
}

/** Reviews and applies an update like its page; approved unless it is only saved. */
async function update(
  harness: Harness,
  id: string,
  entryId: string,
  isApproved = true,
): Promise<void> {
  const { values, offer } = await harness.call('update.review', { installationId: id, entryId })
  const of = { installationId: id, entryId, offer }
  const { planHash, problems } = await harness.call('launch.preview', { of, values })
  expect(problems).toEqual([])
  const approvedPlan = isApproved ? planHash : undefined
  await harness.call('update.apply', { ...of, name: 'Telling', values, budgets: {}, approvedPlan })
}

describe('A1: another version of a local bundle', () => {
  it('is offered for the installation of its name, reviewed like any update, and run once approved', async () => {
    const harness = openHarness()
    const [before, after] = [await bytesOf.old(), await bytesOf.newer()]
    const id = await setUpTelling(harness, await openLocal(harness, before), {
      set_mode: 'loud',
    })
    await harness.until(id, 'ready')
    const opened = await openLocal(harness, after)
    expect(opened.installed).toEqual([
      { installationId: id, name: 'Telling', version: '1.2.0', step: 'newer' },
    ])

    const review = await harness.call('update.review', {
      installationId: id,
      entryId: opened.entryId,
    })
    expect(review).toMatchObject({
      fromVersion: '1.2.0',
      values: { set_folders: ['/tmp/a b', '/'], set_more: ['/one', '/two'] },
      secrets: { set_api_key: { kind: 'own' } },
      dropped: [{ label: 'Mode', value: 'loud', reason: 'gone' }],
      added: ['set_more'],
    })
    const lines = (kind: string): string[] =>
      review.changes.command.filter((line) => line.kind === kind).map(({ text }) => text)
    expect(lines('added')).toEqual(expect.arrayContaining(['--safe', '/one', '/two']))
    expect(lines('removed')).toEqual(expect.arrayContaining(['--mode=loud', 'a {brace}']))
    expect(JSON.stringify(review)).not.toContain('s3cret-key')

    await update(harness, id, opened.entryId)
    await harness.call('server.restart', { installationId: id })
    await expect
      .poll(async () => (await harness.view(id)).status.kind === 'ready' && startOf(harness, id))
      .toMatchObject({
        args: ['--safe', '/tmp/a b', '/', '/one', '/two'],
        env: { API_KEY: 's3cret-key' },
      })
    const hash = sha256Of(after)
    // The update can be rolled back, so the previous folder stays until it can't.
    expect(shelved(harness)).toEqual(expect.arrayContaining([hash, sha256Of(before)]))
    await harness.call('settings.update', { versionsKept: 0 })
    await expect.poll(() => shelved(harness)).toEqual([hash, `${hash}.json`])
    expect((await openLocal(harness, after)).installed).toMatchObject([{ step: 'same' }])
  })

  it('keeps the old folder for the server that still runs from it', async () => {
    const harness = openHarness()
    const [before, after] = [await bytesOf.old(), await bytesOf.newer()]
    const hashes = [before, after].map(sha256Of)
    await harness.call('settings.update', { versionsKept: 0 })
    const id = await setUpTelling(harness, await openLocal(harness, before))
    await harness.until(id, 'ready')
    await update(harness, id, (await openLocal(harness, after)).entryId, false)
    expect((await harness.call('installation.read', { installationId: id })).approvedPlan).toBe(
      undefined,
    )
    // Cleaning waits for the removal.
    await openLocal(harness, await tellingBundle({ name: 'other' }))
    expect(shelved(harness)).toEqual(expect.arrayContaining(hashes))
    expect(await startOf(harness, id)).toMatchObject({
      cwd: join(harness.profileDir, 'bundles', hashes[0] ?? ''),
    })
    await harness.call('server.restart', { installationId: id })
    expect((await harness.until(id, 'error')).status).toMatchObject({ code: 'CONSENT_REQUIRED' })
    await harness.call('installation.setEnabled', { installationId: id, enabled: false })
    await expect.poll(() => shelved(harness)).not.toContain(hashes[0])
    expect(shelved(harness)).toContain(hashes[1])
  })

  it('is rolled back to the previous one in its own folder', async () => {
    const harness = openHarness()
    const bytes = await bytesOf.old()
    const id = await setUpTelling(harness, await openLocal(harness, bytes))
    await harness.until(id, 'ready')
    await update(harness, id, (await openLocal(harness, await bytesOf.newer())).entryId)
    await harness.call('server.restart', { installationId: id })
    await expect
      .poll(async () => (await harness.view(id)).status.kind === 'ready' && startOf(harness, id))
      .toMatchObject({ args: expect.arrayContaining(['--safe']) as unknown })
    const [kept] = (await harness.view(id)).earlier
    const key = { installationId: id, versionKey: kept?.versionKey ?? '' }
    const { asksAgain } = await harness.call('update.rollBack', { ...key, start: true })
    expect(asksAgain).toBe(false)
    const folder = join(harness.profileDir, 'bundles', sha256Of(bytes))
    await expect
      .poll(async () => (await harness.view(id)).status.kind === 'ready' && startOf(harness, id))
      .toMatchObject({ cwd: folder, env: { API_KEY: 's3cret-key' } })
  })

  it("keeps a removed server's folder as long as it can be restored", async () => {
    const harness = openHarness()
    const bytes = await bytesOf.old()
    const id = await setUpTelling(harness, await openLocal(harness, bytes))
    await harness.until(id, 'ready')
    const options = { deleteSecrets: true, canTakeBack: true }
    await harness.call('installation.remove', { installationId: id, ...options })
    // Cleaning waits for the removal.
    await openLocal(harness, await tellingBundle({ name: 'other' }))
    expect(shelved(harness)).toContain(sha256Of(bytes))
    await harness.call('installation.takeBack', { installationId: id })
    await harness.until(id, 'ready')
  })

  it('is named if it is older, and gets nothing of a server with another name', async () => {
    const harness = openHarness()
    const id = await setUpTelling(harness, await openLocal(harness, await bytesOf.newer()))
    const older = await openLocal(harness, await bytesOf.old())
    expect(older.installed).toMatchObject([{ version: '1.3.0', step: 'other' }])
    const other = await openLocal(harness, await tellingBundle({ name: 'other' }))
    expect(other.installed).toEqual([])
    const request = { installationId: id, entryId: other.entryId }
    await expect(harness.call('update.review', request)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    })
  })
})

describe('A1: another version of a registry bundle', () => {
  const entryOf = (version: string, path: string): object => ({
    name: 'test.publisher/telling',
    description: 'A bundle.',
    version,
    packages: [
      {
        registryType: 'mcpb',
        identifier: `${address}${path}`,
        fileSha256: sha256Of(files.get(path) ?? Buffer.of()),
        transport: { type: 'stdio' },
      },
    ],
  })

  it('is found, opened first, then reviewed and run from its own folder', async () => {
    files.set('/old.mcpb', await bytesOf.old()).set('/new.mcpb', await bytesOf.newer())
    const registry = await openTestRegistry([entryOf('2.0.0', '/new.mcpb')])
    const harness = openHarness(undefined, { ...extra, createCatalogWorker })
    await harness.call('settings.update', { registryUrl: registry.url, versionsKept: 0 })
    const first = await harness.paste(entryOf('1.0.0', '/old.mcpb'))
    const open = (entryId: string): Promise<OpenedBundle> =>
      harness.call('bundle.open', { openingId: 'one', entryId, offer: PACKAGE })
    const id = await setUpTelling(harness, await open(first.entryId))
    await harness.until(id, 'ready')

    const found = await harness.call('update.check', { installationId: id })
    const entryId = found?.entryId ?? ''
    expect((await harness.view(id)).update).toEqual({ entryId, version: '2.0.0' })
    // An unopened bundle can't be compared.
    await expect(
      harness.call('update.review', { installationId: id, entryId }),
    ).rejects.toMatchObject({ code: 'UNSUPPORTED_PACKAGE' })
    const opened = await open(entryId)
    expect(opened).toMatchObject({ isVerified: true, installed: [] })
    await update(harness, id, opened.entryId)
    await harness.call('server.restart', { installationId: id })
    const hash = sha256Of(files.get('/new.mcpb') ?? Buffer.of())
    await expect.poll(() => shelved(harness)).toEqual([hash, `${hash}.json`])
    await harness.until(id, 'ready')
    expect(await startOf(harness, id)).toMatchObject({ env: { API_KEY: 's3cret-key' } })
    expect(await harness.view(id)).toMatchObject({ entryVersion: '2.0.0', update: undefined })
  })

  it('is never a local file that claims the same name', async () => {
    files.set('/old.mcpb', await bytesOf.old())
    const harness = openHarness(undefined, extra)
    const { entryId } = await harness.paste(entryOf('1.0.0', '/old.mcpb'))
    const id = await setUpTelling(
      harness,
      await harness.call('bundle.open', { openingId: 'one', entryId, offer: PACKAGE }),
    )
    const file = await openLocal(harness, await tellingBundle({ name: 'test.publisher/telling' }))
    expect(file).toMatchObject({ name: 'test.publisher/telling', installed: [] })
    const request = { installationId: id, entryId: file.entryId }
    await expect(harness.call('update.review', request)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    })
  })
})
