import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'

import { afterAll, describe, expect, it } from 'vitest'

import { builtThread } from '../../e2e/fixtures/built-program'
import { fixtureServer } from '../../e2e/fixtures/fixture-server'
import type { Harness } from '../../e2e/fixtures/harness'
import { startLocalRegistry } from '../../e2e/fixtures/local-registry'
import { makeBundle, TELLING_FILES } from '../../e2e/fixtures/make-bundle'
import { openHarness } from '../../e2e/fixtures/open-harness'
import { RemoteServer } from '../../e2e/fixtures/remote-server'
import { checkOf } from '../../e2e/fixtures/vetted-server'
import { AppError } from '../../src-shared/domain/app-error'
import { memoryBackend } from '../core/secrets/secret-vault'
import { answer } from '../ipc/answer'
import type { VetCore } from './vet-core'
import { readTarget, setUpTarget } from './vet-target'

const SERVER = resolve(import.meta.dirname, '../../e2e/servers/vet.mjs')
const folder = mkdtempSync(join(tmpdir(), 'patchbay-vet-target-'))
const thread = { createCatalogWorker: builtThread('catalog') }
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A harness's requests, which fail like those of the command line. */
function coreOf({ patchbay }: Harness): VetCore {
  return {
    call: async (channel, input) => {
      const reply = await answer(patchbay.handlers, channel, input)
      if (reply.ok) return reply.value
      throw new AppError(reply.error.code, reply.error.message)
    },
    close: () => Promise.resolve(),
  }
}

/** Prepares and approves the server of a command line; returns its command and report. */
async function vet(harness: Harness, words: readonly string[], command: readonly string[] = []) {
  const target = readTarget(words, command, folder)
  const prepared = await setUpTarget(coreOf(harness), { target, values: undefined })
  expect(
    (await harness.call('app.snapshot', {})).servers.every(({ pid }) => pid === undefined),
  ).toBe(true)
  const installationId = await prepared.approve()
  const report = await harness.call('vet.run', { installationId })
  return { kind: target.kind, command: prepared.command, report }
}

describe('E14: targets of patchbay vet', () => {
  it('include a command, run in the current folder', async () => {
    const script = relative(process.cwd(), SERVER)
    const { command, report } = await vet(openHarness(), [], ['node', script])
    expect([command, report.command]).toEqual([`node ${script}`, `node ${script}`])
    expect(checkOf(report, 'start.ready').outcome).toBe('passed')
    expect(checkOf(report, 'package.version').reason).toBe('The command is yours.')
  })

  it('include an address, without starting anything', async () => {
    await using server = await RemoteServer.open()
    const { kind, command, report } = await vet(openHarness(), [server.url])
    expect([kind, command]).toEqual(['url', server.url])
    expect(checkOf(report, 'start.ready').outcome).toBe('passed')
    const remote = 'The server runs on another computer.'
    for (const id of ['end.signal', 'reach.files', 'package.install-scripts'])
      expect(checkOf(report, id).reason).toBe(remote)
  })

  it('include a bundle', async () => {
    const path = join(folder, 'weather.mcpb')
    const command = { command: 'node', args: ['${__dirname}/server/tells.mjs'] }
    const manifest = {
      ...{ manifest_version: '0.3', name: 'weather', version: '1.2.0', description: 'Weather.' },
      author: { name: 'Ada' },
      server: { type: 'node', entry_point: 'server/tells.mjs', mcp_config: command },
    }
    const files = { 'manifest.json': JSON.stringify(manifest), ...TELLING_FILES }
    writeFileSync(path, await makeBundle(files))
    const { kind, report } = await vet(openHarness(), [path])
    expect(kind).toBe('bundle')
    expect(report.server.version).toBe('1.2.0')
    expect(checkOf(report, 'start.ready').outcome).toBe('passed')
  })

  it('include the newest version of a registry name', async () => {
    const listed = (version: string, isLatest: boolean): object => ({
      server: { ...fixtureServer('vet.mjs'), name: 'io.example/weather', version },
      _meta: { 'io.modelcontextprotocol.registry/official': { status: 'active', isLatest } },
    })
    const registry = await startLocalRegistry([listed('1.0.0', false), listed('1.1.0', true)])
    try {
      const document = { version: 1, settings: { registryUrl: registry.url } }
      const harness = openHarness({ document, secrets: memoryBackend() }, thread)
      const { kind, report } = await vet(harness, ['io.example/weather'])
      expect(kind).toBe('registry')
      expect(report.server).toEqual({ name: 'io.example/weather', version: '1.1.0' })
      expect(checkOf(report, 'start.ready').outcome).toBe('passed')
      const unknown = vet(harness, ['io.example/unknown'])
      await expect(unknown).rejects.toThrow(
        'The registry lists no server named io.example/unknown.',
      )
    } finally {
      await registry.close()
    }
  })

  it.each([
    [[], []],
    [['one', 'two'], []],
    [['one'], ['node', 'server.mjs']],
  ])('are one server, not %j with the command %j', (words, command) => {
    expect(() => readTarget(words, command, folder)).toThrow('patchbay vet takes one server.')
  })
})
