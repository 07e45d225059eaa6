import { describe, expect, it } from 'vitest'

import { readDomains, viewPolicy } from './view-listener'

const NONE = { connect: [], resource: [], frame: [] }

describe('E13: the domains that a view declares', () => {
  it('may be https and wss hosts, with port, path and a leading wildcard', () => {
    const csp = {
      connectDomains: ['https://api.example.com', 'wss://live.example.com:8443'],
      resourceDomains: ['*.cdn.example.com', 'cdn.example.org/lib/', 'cdn.example.org/lib/'],
      frameDomains: ['https://bücher.example'],
    }
    expect(readDomains(csp)).toEqual({
      domains: {
        connect: ['https://api.example.com', 'wss://live.example.com:8443'],
        resource: ['https://*.cdn.example.com', 'https://cdn.example.org/lib/'],
        frame: ['https://xn--bcher-kva.example'],
      },
      ignored: [],
    })
  })

  it.each([
    "'unsafe-eval'",
    "'self'",
    'https://a.com; script-src *',
    'https://a.com, https://b.com',
    'https://a.com https://b.com',
    'https://a.com\nscript-src',
    '*',
    'https://*',
    '*.com',
    'https://a.*.com',
    'http://a.com',
    'ws://a.com',
    'https:',
    'data:',
    'blob:https://a.com',
    'javascript:alert(1)',
    'git.a://b.com',
    'localhost',
    'https://localhost:4000',
    'https://v0123456789abcdef.localhost:4000',
    'https://a.LOCALHOST',
    'https://a.localhost.',
    'https://127.0.0.1',
    'https://2130706433',
    'https://[::1]:4000',
    'https://user:pass@a.com',
    'https://a.com/?q',
    'https://a.com/#f',
    'https://a.com\\@b.com',
    'https://"a".com',
    '<b>.a.com',
    '',
    `https://${'a'.repeat(300)}.com`,
  ])('exclude %j, which is reported', (entry) => {
    const { domains, ignored } = readDomains({ connectDomains: [entry] })
    expect(domains).toEqual(NONE)
    expect(ignored).toEqual([entry.slice(0, 300)])
  })

  it('exclude invalid entries and lists, and entries beyond 100', () => {
    expect(readDomains({ connectDomains: [7, null, { a: 1 }], resourceDomains: 'a.com' })).toEqual({
      domains: NONE,
      ignored: ['7', 'null', '{"a":1}'],
    })
    for (const csp of [undefined, null, 'a.com', [], 7])
      expect(readDomains(csp)).toEqual({ domains: NONE, ignored: [] })
    const many = Array.from({ length: 101 }, (_, place) => `h${place}.example.com`)
    const { domains, ignored } = readDomains({ connectDomains: many })
    expect(domains.connect).toHaveLength(100)
    expect(ignored).toEqual(['h100.example.com'])
  })
})

describe('E13: the policy of a view', () => {
  it('blocks every load and request without declared domains', () => {
    expect(viewPolicy(NONE).split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'unsafe-inline' 'unsafe-eval' blob:",
      "style-src 'unsafe-inline'",
      'img-src data: blob:',
      'font-src data:',
      'media-src data: blob:',
      'worker-src blob:',
      "connect-src 'none'",
      "frame-src 'none'",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
    ])
  })

  it('allows each declared domain only in its own directives', () => {
    const domains = {
      connect: ['https://c.example'],
      resource: ['https://r.example'],
      frame: ['https://f.example'],
    }
    const rules = viewPolicy(domains).split('; ')
    const of = (host: string): string[] =>
      rules.filter((rule) => rule.includes(host)).map((rule) => rule.split(' ')[0] ?? '')
    expect(of('c.example')).toEqual(['connect-src'])
    expect(of('f.example')).toEqual(['frame-src'])
    expect(of('r.example')).toEqual(['script-src', 'style-src', 'img-src', 'font-src', 'media-src'])
  })
})
