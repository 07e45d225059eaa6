import { beforeEach, describe, expect, it } from 'vitest'

import type { OpenedBundle } from '../../../src-shared/domain/installation/bundle'
import type { Harness } from '../../fixtures/harness'
import { setUpTelling, shelved, startOf } from '../../fixtures/local-bundle'
import { serveHttp } from '../../fixtures/loopback'
import { sha256Of, tellingBundle } from '../../fixtures/make-bundle'
import { openHarness } from '../../fixtures/open-harness'
import { ending } from '../../fixtures/supervised'

const PACKAGE = { kind: 'package', index: 0 } as const

let address: string
/** Files of the server, by path. */
const files = new Map<string, Buffer>()
let requests: string[] = []

beforeEach(async () => {
  requests = []
  files.clear()
  const server = await serveHttp(({ url = '' }, response) => {
    requests.push(url)
    const bytes = files.get(url)
    if (url === '/slow') response.writeHead(200).write('a')
    else response.writeHead(bytes ? 200 : 404).end(bytes)
  })
  address = ending(server).address
})

/** Loopback stands in for https; the production rule has its own test. */
const extra = { mayFetchBundle: ({ hostname }: URL) => hostname === '127.0.0.1' }

function openQueue(): Harness {
  return openHarness(undefined, extra)
}

function serverJson(path: string, parts: object): object {
  return {
    name: 'test.publisher/telling',
    description: 'A bundle.',
    version: '2.0.0',
    packages: [
      {
        registryType: 'mcpb',
        identifier: `${address}${path}`,
        transport: { type: 'stdio' },
        ...parts,
      },
    ],
  }
}

async function openFrom(harness: Harness, path: string, parts: object): Promise<OpenedBundle> {
  const { entryId } = await harness.paste(serverJson(path, parts))
  return harness.call('bundle.open', { openingId: 'one', entryId, offer: PACKAGE })
}

describe('A1: a catalog bundle', () => {
  it("is downloaded, verified by its hash, and runs with the entry's additions", async () => {
    const bytes = await tellingBundle()
    files.set('/telling.mcpb', bytes)
    const harness = openQueue()
    const opened = await openFrom(harness, '/telling.mcpb', {
      fileSha256: sha256Of(bytes).toUpperCase(),
      environmentVariables: [{ name: 'EXTRA', default: 'by the entry' }],
    })
    expect(opened).toMatchObject({
      name: 'test.publisher/telling',
      title: 'Telling bundle',
      version: '2.0.0',
      isVerified: true,
    })
    const installationId = await setUpTelling(harness, opened)
    await harness.until(installationId, 'ready')
    expect(await startOf(harness, installationId)).toMatchObject({ env: { EXTRA: 'by the entry' } })
    const installation = await harness.call('installation.read', { installationId })
    expect(installation.server).toMatchObject({ name: 'test.publisher/telling', version: '2.0.0' })
    expect(requests).toEqual(['/telling.mcpb'])
  })

  it('is rejected with both hashes if they differ, without opening anything', async () => {
    const bytes = await tellingBundle()
    files.set('/telling.mcpb', bytes)
    const harness = openQueue()
    const expected = 'b'.repeat(64)
    const opening = openFrom(harness, '/telling.mcpb', { fileSha256: expected })
    await expect(opening).rejects.toMatchObject({ code: 'INVALID_BUNDLE' })
    await expect(opening).rejects.toThrow(expected)
    await expect(opening).rejects.toThrow(sha256Of(bytes))
    expect(shelved(harness)).toEqual([])
  })

  it.each([undefined, '', 'abc', 'z'.repeat(64)])(
    'is not downloaded with the hash %j',
    async (fileSha256) => {
      const harness = openQueue()
      const opening = openFrom(harness, '/telling.mcpb', { fileSha256 })
      await expect(opening).rejects.toMatchObject({ code: 'INVALID_BUNDLE' })
      await expect(opening).rejects.toThrow(/fileSha256/)
      expect(requests).toEqual([])
    },
  )

  it('is downloaded over https only in production', async () => {
    const harness = openHarness()
    const fileSha256 = 'a'.repeat(64)
    const opening = openFrom(harness, '/telling.mcpb', { fileSha256 })
    await expect(opening).rejects.toThrow(/isn’t https/)
    expect(requests).toEqual([])
  })

  it('reports progress, and can be canceled', async () => {
    const harness = openQueue()
    const opening = openFrom(harness, '/slow', { fileSha256: 'a'.repeat(64) })
    const outcome = opening.catch((reason: unknown) => reason)
    await expect
      .poll(() => harness.call('bundle.progress', { openingId: 'one' }))
      .toEqual({ kind: 'reading', received: 1 })
    await harness.call('bundle.cancel', { openingId: 'one' })
    expect(await outcome).toMatchObject({ code: 'REQUEST_CANCELLED' })
    expect(await harness.call('bundle.progress', { openingId: 'one' })).toBeNull()
    expect(shelved(harness)).toEqual([])
  })

  it('waits for two others, and can be canceled while waiting', async () => {
    const harness = openQueue()
    const { entryId } = await harness.paste(serverJson('/slow', { fileSha256: 'a'.repeat(64) }))
    const open = (openingId: string): Promise<unknown> =>
      harness
        .call('bundle.open', { openingId, entryId, offer: PACKAGE })
        .catch((reason: unknown) => reason)
    const openings = ['one', 'two', 'three'].map(open)
    await expect.poll(() => requests.length).toBe(2)
    expect(await harness.call('bundle.progress', { openingId: 'three' })).toEqual({
      kind: 'waiting',
    })
    await harness.call('bundle.cancel', { openingId: 'three' })
    expect(await openings[2]).toMatchObject({ code: 'REQUEST_CANCELLED' })
    expect(await harness.call('bundle.progress', { openingId: 'one' })).not.toBeNull()
    for (const openingId of ['one', 'two']) await harness.call('bundle.cancel', { openingId })
    expect(await Promise.all(openings)).toMatchObject(Array(3).fill({ code: 'REQUEST_CANCELLED' }))
    expect(requests).toHaveLength(2)
  })

  it("doesn't delay the app's quit", async () => {
    const harness = openQueue()
    const opening = openFrom(harness, '/slow', { fileSha256: 'a'.repeat(64) })
    const outcome = opening.catch((reason: unknown) => reason)
    await expect.poll(() => requests).toEqual(['/slow'])
    await harness.patchbay.close()
    expect(await outcome).toMatchObject({ code: 'REQUEST_CANCELLED' })
  })

  it('is not opened for a package of another type', async () => {
    const harness = openQueue()
    const { entryId } = await harness.paste({
      name: 'a/b',
      version: '1',
      packages: [{ registryType: 'npm', identifier: 'x', version: '1.0.0' }],
    })
    await expect(
      harness.call('bundle.open', { openingId: 'one', entryId, offer: PACKAGE }),
    ).rejects.toMatchObject({ code: 'UNSUPPORTED_PACKAGE' })
  })

  it("can't be brought in by an entry that claims to be a command", async () => {
    const harness = openQueue()
    const entry = await harness.paste({
      name: 'a/b',
      version: '1',
      packages: [{ registryType: 'command', identifier: '/bin/sh', workingFolder: '/' }],
    })
    expect(entry.server.packages).toEqual([])
  })
})
