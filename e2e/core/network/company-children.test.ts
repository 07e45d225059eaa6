import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import which from 'which'

import { type Company, COMPANY_HOSTS, PROXY_PASSWORD, PROXY_USER } from '../../fixtures/company'
import { openInCompany } from '../../fixtures/company-harness'
import { fixtureServer } from '../../fixtures/fixture-server'
import type { Harness } from '../../fixtures/harness'
import { answerAsNpm } from '../../fixtures/npm-registry'
import { tempFolder } from '../../fixtures/temp-folder'

const npx = await which('npx', { nothrow: true })
const isMissing = npx === null
const why = isMissing ? ' (skipped: npx is not installed)' : ''
/** Percent-encoded, as in a proxy's address. */
const ENCODED = encodeURIComponent(PROXY_PASSWORD)

let company: Company
let harness: Harness

beforeEach(async () => {
  vi.stubEnv('NODE_EXTRA_CA_CERTS', undefined)
  const folder = tempFolder('npm')
  vi.stubEnv('NPM_CONFIG_CACHE', join(folder, 'npm'))
  vi.stubEnv('NPM_CONFIG_USERCONFIG', join(folder, 'npmrc'))
  writeFileSync(join(folder, 'npmrc'), 'update-notifier=false\nfetch-retries=0\n')
  const opened = await openInCompany({ withoutProxy: '.acme.example' })
  company = opened.company
  harness = opened.harness
})
afterEach(() => vi.unstubAllEnvs())

/** An npm package in the company's registry, whose server prints its environment. */
const ofCompany = {
  name: 'acme/tells',
  title: 'Tells',
  description: 'Tells its variables, and what it can fetch.',
  version: '1.0.0',
  packages: [
    {
      registryType: 'npm',
      registryBaseUrl: `https://${COMPANY_HOSTS.npm}`,
      identifier: 'acme-tells',
      version: '1.0.0',
      transport: { type: 'stdio' },
    },
  ],
}

/** Asks the running server. */
async function ask(id: string, name: string): Promise<unknown> {
  const answer = await harness.session(id).request('tools/call', { name, arguments: {} })
  const { content } = answer as { content: readonly { readonly text: string }[] }
  return JSON.parse(content[0]?.text ?? 'null')
}

describe('E8: programs behind an authenticating proxy', () => {
  it.skipIf(isMissing)(
    `a package is fetched by npx and its server reaches the network, with the password masked in both outputs${why}`,
    async () => {
      company.answers.npm = answerAsNpm('acme-tells', '1.0.0', `https://${COMPANY_HOSTS.npm}`)
      company.answers.bundles = (_request, response) => response.end('fetched')
      const id = await harness.installReady(ofCompany)
      expect(company.passed('npm')).toBeGreaterThan(0)
      const address = `http://${encodeURIComponent(PROXY_USER)}:${ENCODED}@${new URL(company.proxy.url).host}`
      expect(await ask(id, 'environment')).toMatchObject({
        ...{ HTTPS_PROXY: address, https_proxy: address, HTTP_PROXY: address, http_proxy: address },
        NO_PROXY: '.acme.example,localhost,127.0.0.1,[::1],::1',
        SSL_CERT_FILE: join(harness.profileDir, 'certificates', 'trusted.pem'),
      })
      // Its own `fetch`, which knows neither the proxy nor the certificate authority.
      expect(await ask(id, 'fetch')).toBe('fetched')
      const log = (await harness.log(id)).join('\n')
      expect(log).toContain('proxy is http://')
      for (const form of [PROXY_PASSWORD, ENCODED]) expect(log).not.toContain(form)
    },
    120_000,
  )

  it.skipIf(isMissing)(
    `a rejected npx says what is missing, with a step to the settings${why}`,
    async () => {
      await harness.call('network.setPassword', { password: null })
      const id = await harness.install(ofCompany)
      const failed = async (): Promise<unknown> => {
        const { status } = await harness.view(id)
        return 'cause' in status ? status.cause : undefined
      }
      await expect.poll(failed).toMatchObject({
        causeId: 'npm-proxy-password',
        step: { kind: 'network' },
      })
      expect(company.passed('npm')).toBe(0)
    },
    120_000,
  )

  it('servers get the proxy without its password if the user chose so, and their own variables stay', async () => {
    await harness.call('settings.update', { proxyPasswordForServers: false })
    const variables = [{ name: 'https_proxy', value: 'http://own.invalid:1' }]
    const id = await harness.installReady(
      fixtureServer('variables.mjs', { environmentVariables: variables }),
    )
    const seen = (await ask(id, 'environment')) as Record<string, string>
    expect(seen.HTTP_PROXY).toBe(company.proxy.url)
    expect(seen.https_proxy).toBe('http://own.invalid:1')
    expect(seen.HTTPS_PROXY).toBeUndefined()
    expect(JSON.stringify(seen)).not.toContain(ENCODED)
  })

  it('none of it is part of the approval', async () => {
    const { entryId } = await harness.paste(ofCompany)
    const of = { entryId, offer: { kind: 'package', index: 0 } } as const
    const hash = async (): Promise<string> =>
      (await harness.call('launch.preview', { of, values: {} })).planHash
    const before = await hash()
    await harness.call('settings.update', { proxyMode: 'none', certificateFiles: [] })
    expect(await hash()).toBe(before)
  })
})
