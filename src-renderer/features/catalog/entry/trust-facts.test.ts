import { describe, expect, it } from 'vitest'

import type { ListedServer } from '../../../../src-shared/domain/catalog/catalog-query'
import type {
  Package,
  Remote,
  ServerJson,
} from '../../../../src-shared/domain/server-json/server-json'
import { trustFacts } from './entry-trust'

const NOW = Date.parse('2026-06-01T00:00:00Z')

function listed(change: Partial<ListedServer> = {}): ListedServer {
  return {
    sourceId: 'official',
    name: 'com.stripe/pay',
    description: '',
    publisher: 'stripe.com',
    namespace: 'domain',
    isVerified: true,
    version: '1.0.0',
    status: 'active',
    kinds: [],
    asksForSecrets: false,
    ...change,
  }
}

function server(parts: Partial<ServerJson> = {}): ServerJson {
  return { name: 'x', description: '', version: '1', packages: [], remotes: [], ...parts }
}

function remote(url: string): Remote {
  return { type: 'sse', url, headers: [] }
}

function npm(identifier: string): Package {
  return {
    registryType: 'npm',
    identifier,
    transport: { type: 'stdio' },
    runtimeArguments: [],
    packageArguments: [],
    environmentVariables: [],
  }
}

function weights(facts: ReturnType<typeof trustFacts>): string[] {
  return facts.map(({ key, weight }) => `${key} ${weight}`)
}

describe('D2: facts about a publisher', () => {
  it('say that a domain was verified and which hosts belong to it', () => {
    const urls = [
      'https://mcp.stripe.com/a',
      'https://stripe.com',
      'https://stripe.com.evil.example',
    ]
    const facts = trustFacts(listed(), server({ remotes: urls.map(remote) }), undefined, NOW)
    expect(weights(facts)).toEqual([
      'namespace for',
      'host mcp.stripe.com for',
      'host stripe.com for',
      'host stripe.com.evil.example against',
    ])
    expect(facts[0]?.text).toContain('controls stripe.com')
  })

  it('say that anyone can create an account, and compare package and source with it', () => {
    const ann = listed({ publisher: 'Ann', namespace: 'github' })
    const repository = (url: string) => ({ repository: { url } })
    const own = server({ packages: [npm('@ann/notes')], ...repository('https://github.com/ann/x') })
    expect(weights(trustFacts(ann, own, undefined, NOW))).toEqual([
      'namespace plain',
      'source for',
      'package for',
    ])
    const other = server({ packages: [npm('notes')], ...repository('https://github.com/bea/x') })
    expect(weights(trustFacts(ann, other, undefined, NOW))).toEqual([
      'namespace plain',
      'source against',
      'package plain',
    ])
  })

  it.each([
    ['@stripe/mcp', 'for'],
    ['stripe', 'for'],
    ['ghcr.io/Stripe/mcp:1.0', 'for'],
    ['not-stripe', 'plain'],
    ['@stripe-pay/mcp', 'plain'],
    ['@eve/stripe', 'plain'],
    ['ghcr.io/eve/stripe', 'plain'],
    ['stripe.evil.example/mcp', 'plain'],
  ])('weigh the package %s as "%s", by whole names', (identifier, weight) => {
    const facts = trustFacts(listed(), server({ packages: [npm(identifier)] }), undefined, NOW)
    expect(weights(facts)[1]).toBe(`package ${weight}`)
  })

  it('say how long it is listed, and warn about a new one', () => {
    const at = (day: string) => ({
      version: day,
      status: 'active' as const,
      isLatest: false,
      publishedAt: Date.parse(day),
    })
    const age = (...days: string[]) => trustFacts(listed(), server(), days.map(at), NOW).at(-1)
    expect(age('2026-05-30', '2026-05-31')).toMatchObject({
      weight: 'against',
      text: 'Listed for 2 days, 2 versions.',
    })
    expect(age('2023-01-01')).toMatchObject({ text: 'Listed for 3 years, 1 version.' })
  })

  it('say that other registries and pasted entries are not verified', () => {
    const facts = (sourceId: string) =>
      trustFacts(listed({ sourceId, isVerified: false }), server(), undefined, NOW)
    expect(facts('other')[0]?.text).toContain('Published as stripe.com, not verified')
    expect(weights(facts('pasted'))).toEqual(['origin against'])
    expect(weights(facts('starter'))).toEqual(['origin plain'])
  })

  it('give an unverified publisher no credit for a matching name', () => {
    const urls = ['https://mcp.stripe.com', 'https://evil.example']
    const parts = server({ remotes: urls.map(remote), packages: [npm('@stripe/mcp')] })
    expect(weights(trustFacts(listed({ isVerified: false }), parts, undefined, NOW))).toEqual([
      'namespace plain',
      'host mcp.stripe.com plain',
      'host evil.example against',
      'package plain',
    ])
  })

  it('escape characters that reverse or hide a name', () => {
    const facts = trustFacts(listed({ publisher: 'a\u202eb.com' }), server(), undefined, NOW)
    expect(facts[0]?.text).toContain('a<U+202E>b.com')
  })
})
