import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { memoryBackend } from '../../../src-main/core/secrets/secret-vault'
import type { SourceView } from '../../../src-shared/domain/catalog/catalog-state'
import { hideNetwork } from '../../fixtures/bare-network'
import { builtThread } from '../../fixtures/built-program'
import {
  Company,
  COMPANY_HOSTS,
  PASSWORD_FORMS,
  PROXY_PASSWORD,
  PROXY_USER,
} from '../../fixtures/company'
import { fixtureServer } from '../../fixtures/fixture-server'
import type { Harness } from '../../fixtures/harness'
import { listedServer } from '../../fixtures/listed-servers'
import { sha256Of, tellingBundle } from '../../fixtures/make-bundle'
import { openHarness } from '../../fixtures/open-harness'
import { answerFrom } from '../../fixtures/registry-answers'
import { ending } from '../../fixtures/supervised'
import { tempFolder } from '../../fixtures/temp-folder'

const UNKNOWN_AUTHORITY =
  'the certificate can’t be verified; add your company’s root certificate under Settings > Network'

const createCatalogWorker = builtThread('catalog')
let company: Company
let memory: Harness['memory']
let harness: Harness
let folder = ''
/** All events sent to screens. */
let events: string[]

beforeEach(async () => {
  hideNetwork()
  company = ending(await Company.open())
  folder = tempFolder('company')
  memory = { document: null, secrets: memoryBackend() }
  harness = openHarness(memory, { createCatalogWorker })
  events = []
  harness.patchbay.onEvent((event) => events.push(JSON.stringify(event)))
})
afterEach(() => vi.unstubAllEnvs())

const named = (): { proxyMode: 'manual'; proxyUrl: string; proxyUser: string } => ({
  proxyMode: 'manual',
  proxyUrl: company.proxy.url,
  proxyUser: PROXY_USER,
})

async function trust(): Promise<void> {
  const file = join(folder, 'acme.pem')
  writeFileSync(file, company.authority.authority)
  await harness.call('settings.update', { certificateFiles: [file] })
}

async function enterAll(): Promise<void> {
  await harness.call('settings.update', named())
  await harness.call('network.setPassword', { password: PROXY_PASSWORD })
  await trust()
}

/** Syncs the company's registry; returns its error, or that it worked. A failure is retried for seconds. */
async function syncRegistry(): Promise<string> {
  const registryUrl = `https://${COMPANY_HOSTS.registry}`
  const source = async (): Promise<SourceView | undefined> =>
    (await harness.call('app.snapshot', {})).catalog.sources[0]
  await harness.call('settings.update', { registryUrl })
  await harness.call('catalog.sync', {})
  await expect
    .poll(async () => (await source())?.fault ?? (await source())?.completedAt)
    .toBeDefined()
  return (await source())?.fault?.message ?? 'listed'
}

async function openBundle(fileSha256 = '0'.repeat(64)): Promise<string> {
  const entry = await harness.paste({
    name: 'acme/telling',
    description: 'A bundle.',
    version: '1.0.0',
    packages: [
      {
        registryType: 'mcpb',
        identifier: `https://${COMPANY_HOSTS.bundles}/telling.mcpb`,
        fileSha256,
        transport: { type: 'stdio' },
      },
    ],
  })
  const offer = { kind: 'package', index: 0 } as const
  return harness.call('bundle.open', { openingId: 'one', entryId: entry.entryId, offer }).then(
    () => 'opened',
    (error: unknown) => (error as Error).message,
  )
}

function remoteEntry(path: string): object {
  return {
    name: 'acme/remote',
    title: 'Remote',
    description: 'Behind the proxy.',
    version: '1.0.0',
    remotes: [{ type: 'streamable-http', url: `https://${COMPANY_HOSTS.mcp}${path}` }],
  }
}

const install = (entry: object): Promise<string> =>
  harness.install(entry, { offer: { kind: 'remote', index: 0 } })

/** The message once it has failed, whether it is retried or not. */
async function failureOf(installationId: string): Promise<string> {
  const failed = async (): Promise<string> => {
    const { status } = await harness.view(installationId)
    return 'message' in status ? status.message : ''
  }
  await expect.poll(failed).not.toBe('')
  return failed()
}

/** Everything written to the profile, sent to screens or logged. */
async function everything(installationIds: readonly string[]): Promise<string> {
  const files = readdirSync(harness.profileDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
  const logs = await Promise.all(installationIds.map((one) => harness.log(one)))
  const state = await harness.call('app.snapshot', {})
  const view = await harness.call('network.read', {})
  return [...files, ...events, JSON.stringify([memory.document, logs, state, view])].join('\n')
}

function expectNoPassword(all: string): void {
  for (const form of PASSWORD_FORMS) expect(all).not.toContain(form)
}

describe('E8: an authenticating proxy and a private certificate authority', () => {
  it('registry, bundle and remote server are reached once both are entered, and say before what is missing', async () => {
    company.answers.registry = (request, response) =>
      answerFrom([listedServer({ name: 'acme/notes' })], request, response)
    const bundle = await tellingBundle()
    company.answers.bundles = (_request, response) => response.end(bundle)

    await harness.call('settings.update', named())
    const withoutPassword = [await openBundle()]
    const id = await install(remoteEntry('/mcp'))
    withoutPassword.push(await failureOf(id))
    for (const words of withoutPassword)
      expect(words).toContain('the proxy requires a password; enter it under Settings > Network')
    expect(company.proxy.names).toEqual([])

    await harness.call('network.setPassword', { password: PROXY_PASSWORD })
    const withoutAuthority = [await openBundle()]
    await harness.call('server.restart', { installationId: id })
    await expect.poll(() => failureOf(id)).toContain('isn’t trusted')
    withoutAuthority.push(await failureOf(id))
    for (const words of withoutAuthority) expect(words).toContain(UNKNOWN_AUTHORITY)

    await trust()
    expect([await syncRegistry(), await openBundle(sha256Of(bundle))]).toEqual(['listed', 'opened'])
    await harness.call('server.restart', { installationId: id })
    await harness.until(id, 'ready')
    const call = { name: 'echo', arguments: { text: 'hello' } }
    expect(await harness.session(id).request('tools/call', call)).toMatchObject({
      content: [{ text: 'hello' }],
    })
    const hosts = ['registry', 'bundles', 'mcp'] as const
    for (const host of hosts) expect(company.passed(host), host).toBeGreaterThan(0)
    expectNoPassword(await everything([id]))
  })

  it('metrics reach a collector through the same proxy', async () => {
    const bodies: string[] = []
    company.answers.metrics = (request, response) => {
      void text(request).then((body) => {
        bodies.push(body)
        response.end('{}')
      })
    }
    await enterAll()
    // Nothing to report without servers.
    await harness.until(await harness.install(fixtureServer('works.mjs')), 'ready')
    await harness.call('settings.update', { otlpEndpoint: `https://${COMPANY_HOSTS.metrics}` })
    await expect.poll(() => bodies.length).toBeGreaterThan(0)
    expect(company.passed('metrics')).toBeGreaterThan(0)
  })

  it('changes take effect immediately in both directions, also for open connections', async () => {
    company.answers.bundles = (_request, response) => response.writeHead(404).end()
    await enterAll()
    expect(await openBundle()).toContain('status 404')
    const passed = company.passed('bundles')
    await harness.call('settings.update', { certificateFiles: [] })
    expect(await openBundle()).toContain(UNKNOWN_AUTHORITY)
    await trust()
    expect(await openBundle()).toContain('status 404')
    await harness.call('settings.update', { proxyMode: 'none' })
    expect(await openBundle()).toContain('the name')
    expect(company.passed('bundles')).toBe(passed + 2)
    await harness.call('settings.update', {
      proxyMode: 'manual',
      withoutProxy: '.packages.invalid',
    })
    expect(await openBundle()).toContain('the name')
    await harness.call('settings.update', { withoutProxy: '' })
    await harness.call('network.setPassword', { password: null })
    expect(await openBundle()).toContain('requires a password')
    await harness.call('settings.update', { proxyUrl: 'http://127.0.0.1:9' })
    expect(await openBundle()).toContain('the proxy doesn’t respond')
    await harness.call('settings.update', { proxyUrl: '' })
    expect(await openBundle()).toContain('Settings > Network is invalid')
  })

  it('a password in the address is rejected, and stored nowhere', async () => {
    const proxyUrl = company.proxy.url.replace(
      '://',
      `://ann:${encodeURIComponent(PROXY_PASSWORD)}@`,
    )
    const said = await harness.call('settings.update', { proxyUrl }).then(() => '', String)
    expect(said).toContain('Invalid request to settings.update')
    expectNoPassword(`${said}${await everything([])}`)
  })

  it('the password is sent only to the proxy it was entered for', async () => {
    await enterAll()
    await using other = await Company.open()
    await harness.call('settings.update', { proxyUrl: other.proxy.url })
    expect((await harness.call('network.read', {})).password).toBe('other')
    expect(await openBundle()).toContain('requires a password')
    expect(other.proxy.names).toEqual([])
    await harness.call('settings.update', { proxyUrl: company.proxy.url })
    expect((await harness.call('network.read', {})).password).toBe('saved')
  })
})
