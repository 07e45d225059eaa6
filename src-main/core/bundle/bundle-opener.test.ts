import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it, onTestFinished } from 'vitest'

import { serveHttp } from '../../../e2e/fixtures/loopback'
import { makeBundle } from '../../../e2e/fixtures/make-bundle'
import { ending } from '../../../e2e/fixtures/supervised'
import { tempFolder } from '../../../e2e/fixtures/temp-folder'
import type { CatalogEntry } from '../../../src-shared/domain/catalog/catalog-entry'
import { Package } from '../../../src-shared/domain/server-json/server-json'
import { BundleFolder } from './bundle-folder'
import { type BundleOffer, BundleOpener } from './bundle-opener'

function opener(): BundleOpener {
  const opened = new BundleOpener({
    bundles: new BundleFolder(tempFolder('bundles')),
    catalog: { keep: () => undefined },
    versionOf: () => Promise.resolve(undefined),
    mayFetch: ({ hostname }) => hostname === '127.0.0.1',
  })
  onTestFinished(() => opened[Symbol.dispose]())
  return opened
}

/** A bundle at an address that sends its first byte only. */
async function slowOffer(): Promise<BundleOffer> {
  const { address } = ending(
    await serveHttp((_, response) => void response.writeHead(200).write('a')),
  )
  const pkg = Package.parse({
    registryType: 'mcpb',
    identifier: `${address}/slow.mcpb`,
    fileSha256: 'a'.repeat(64),
    transport: { type: 'stdio' },
    ...{ runtimeArguments: [], packageArguments: [], environmentVariables: [] },
  })
  const server = { name: 'a/b', description: '', version: '1', packages: [pkg], remotes: [] }
  const entry: CatalogEntry = {
    ...{ entryId: 'a', source: 'pasted', status: 'active', notices: [] },
    server,
  }
  return { pkg, entry }
}

describe('A1: the bundles that are being opened', () => {
  it('are at most 20, each with an id of its own', async () => {
    const bundles = opener()
    const offer = await slowOffer()
    const outcome = (openingId: string): Promise<unknown> =>
      bundles.openOffer(openingId, offer).catch((reason: unknown) => reason)
    const openings = Array.from({ length: 19 }, (_, index) => outcome(String(index)))
    const tooMany = {
      code: 'INVALID_REQUEST',
      message: 'Too many bundles are being opened at the same time.',
      hint: 'Wait until one is done, or cancel one.',
    }
    expect(await outcome('0')).toMatchObject(tooMany)
    openings.push(outcome('19'))
    expect(await outcome('20')).toMatchObject(tooMany)
    for (let index = 0; index < 20; index += 1) bundles.cancel(String(index))
    expect(await Promise.all(openings)).toMatchObject(Array(20).fill({ code: 'REQUEST_CANCELLED' }))
    const again = outcome('20')
    bundles.cancel('20')
    expect(await again).toMatchObject({ code: 'REQUEST_CANCELLED' })
  })
})

// Elsewhere the disk itself stores both names as one file.
describe.runIf(process.platform === 'linux')('A1: a bundle with two names of one file', () => {
  it('is opened with a notice that names both', async () => {
    const path = join(tempFolder('bundle'), 'twins.mcpb')
    const manifest = { name: 'twins', version: '1', server: { type: 'node', entry_point: 'a.js' } }
    const files = { 'manifest.json': JSON.stringify(manifest), 'a.js': '', 'A.js': '' }
    writeFileSync(path, await makeBundle(files))
    const { notices } = await opener().openFile('one', path)
    expect(notices).toEqual([
      'The names "a.js" and "A.js" differ only in case or accents. macOS and Windows can’t store both files.',
    ])
  })
})
