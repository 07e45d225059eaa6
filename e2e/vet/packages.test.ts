import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import which from 'which'

import type { VetReport } from '../../src-shared/domain/vet/vet-report'
import { type LoopbackServer, serveHttp } from '../fixtures/loopback'
import { answerNpm, type NpmPackage } from '../fixtures/npm-registry'
import { openHarness } from '../fixtures/open-harness'
import { ending } from '../fixtures/supervised'
import { tempFolder } from '../fixtures/temp-folder'
import { outcomesOf } from '../fixtures/vetted-server'

const npx = await which('npx', { nothrow: true })
const SERVER = readFileSync(join(import.meta.dirname, '../servers/vet.mjs'), 'utf8')
let registry: LoopbackServer

beforeEach(async () => {
  vi.stubEnv('NPM_CONFIG_CACHE', tempFolder('npm'))
  vi.stubEnv('NPM_CONFIG_USERCONFIG', join(tempFolder('home'), 'npmrc'))
  registry = ending(await serveHttp())
})
afterEach(() => vi.unstubAllEnvs())

/** The server of `vet.mjs` as a package, published by Ada. */
function weather(version: string, publishedAt: string, rest: Partial<NpmPackage> = {}): NpmPackage {
  return {
    ...{ name: 'weather-server', version, publishedAt },
    files: { 'index.mjs': `#!/usr/bin/env node\n${SERVER}` },
    manifest: { bin: { 'weather-server': 'index.mjs' } },
    facts: { _npmUser: { name: 'ada' }, maintainers: [{ name: 'ada' }] },
    ...rest,
  }
}

async function vet(
  packages: readonly NpmPackage[],
  advisories: object,
  part: object,
): Promise<VetReport> {
  const { address, server } = registry
  server.on('request', answerNpm(packages, address, advisories))
  const harness = openHarness()
  const entry = await harness.paste({
    ...{ name: 'io.example/weather', description: 'Weather.', version: '1.1.0' },
    packages: [
      {
        ...{ registryType: 'npm', identifier: 'weather-server', version: '1.1.0' },
        ...{ registryBaseUrl: address, transport: { type: 'stdio' }, ...part },
      },
    ],
  })
  const installationId = await harness.setUp(entry, { start: false })
  return harness.call('vet.run', { installationId, callReadOnly: true, advisories: true })
}

describe.skipIf(npx === null)('E14: a registry package', () => {
  it('without flaws has no finding', async () => {
    const packages = [weather('1.0.0', '2026-01-01'), weather('1.1.0', '2026-02-01')]
    expect(outcomesOf(await vet(packages, {}, {}))).toEqual([])
  })

  it('has one finding each for its entry, scripts, vulnerabilities and publisher', async () => {
    const script = { name: 'native-part', version: '2.0.0', files: {} }
    const packages = [
      weather('1.0.0', '2026-01-01', {
        facts: { _npmUser: { name: 'ada' }, dist: { attestations: { url: 'https://a.example' } } },
      }),
      weather('1.1.0', '2026-02-01', {
        manifest: {
          bin: { 'weather-server': 'index.mjs' },
          dependencies: { 'native-part': '2.0.0' },
        },
      }),
      { ...script, manifest: { scripts: { install: 'true' }, hasInstallScript: true } },
    ]
    const flaw = { id: 1, url: 'https://a.example', title: 'Flaw', severity: 'high' }
    const advisories = { 'native-part': [{ ...flaw, vulnerable_versions: '<3' }] }
    const part = { packageArguments: [{ type: 'odd', value: 'a' }] }
    expect(outcomesOf(await vet(packages, advisories, part))).toEqual([
      ...['should package.entry', 'note package.install-scripts'],
      ...['should package.advisories', 'should package.publishing'],
    ])
  })
})
