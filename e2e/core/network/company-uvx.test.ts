import { delimiter } from 'node:path'

import { afterAll, beforeAll, expect, it, vi } from 'vitest'

import { COMPANY_HOSTS, PROXY_PASSWORD } from '../../fixtures/company'
import { openInCompany } from '../../fixtures/company-harness'
import { answerAsPythonIndex } from '../../fixtures/python-index'
import { realUvx } from '../../fixtures/real-tools'
import { tempFolder } from '../../fixtures/temp-folder'

const LIMIT_MS = 240_000
const uvx = await realUvx()
const why = uvx.kind === 'missing' ? ` (skipped: ${uvx.reason})` : ''

beforeAll(() => {
  if (uvx.kind === 'there') vi.stubEnv('PATH', [uvx.folder, process.env.PATH].join(delimiter))
})
afterAll(() => vi.unstubAllEnvs())

/** A Python package in the company's index, whose server prints what it can fetch. */
const ofCompany = {
  name: 'acme/tells',
  title: 'Tells',
  description: 'Tells what it can fetch.',
  version: '1.0.0',
  packages: [
    {
      registryType: 'pypi',
      registryBaseUrl: `https://${COMPANY_HOSTS.python}/simple`,
      identifier: 'acme-tells',
      version: '1.0.0',
      transport: { type: 'stdio' },
    },
  ],
}

it.skipIf(uvx.kind === 'missing')(
  `E8: a package is fetched by uvx behind an authenticating proxy, and its server reaches the network through it${why}`,
  async () => {
    vi.stubEnv('UV_CACHE_DIR', tempFolder('uv-cache'))
    const { company, harness } = await openInCompany()
    company.answers.python = answerAsPythonIndex('acme-tells')
    company.answers.bundles = (_request, response) => response.end('fetched')
    const id = await harness.installReady(ofCompany)
    expect(company.passed('python')).toBeGreaterThan(0)
    const answer = await harness.session(id).request('tools/call', { name: 'fetch', arguments: {} })
    expect(answer).toMatchObject({ content: [{ text: '"fetched"' }] })
    const log = (await harness.log(id)).join('\n')
    expect(log).toContain('proxy is http://')
    for (const form of [PROXY_PASSWORD, encodeURIComponent(PROXY_PASSWORD)])
      expect(log).not.toContain(form)
  },
  LIMIT_MS,
)
