import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { readProxyList } from './environment-proxies'

const direct = { kind: 'direct' }
const unusable = { kind: 'unusable' }
const proxy = (url: string) => ({ kind: 'proxy', url })

describe("D2: the desktop's proxies", () => {
  it.each([
    ['DIRECT', [direct]],
    ['', [direct]],
    [' ; ', [direct]],
    ['PROXY a.example:8080; DIRECT', [proxy('http://a.example:8080'), direct]],
    ['proxy a.example', [proxy('http://a.example:80')]],
    [
      'HTTPS a.example;SOCKS5 10.0.0.1:1',
      [proxy('https://a.example:443'), proxy('socks5://10.0.0.1:1')],
    ],
    ['PROXY [::1]:3128', [proxy('http://[::1]:3128')]],
    ['SOCKS a.example:1080; DIRECT', [unusable, direct]],
    ['SOCKS4 a.example:1080', [unusable]],
    ['PROXY', [unusable]],
    ['PROXY a.example:99999', [unusable]],
    ['PROXY a.example:80 b', [unusable]],
    ['PROXY http://a.example:80', [unusable]],
    ['PROXY me@a.example:80', [unusable]],
  ])('are read from "%s" in order', (answer, steps) => {
    expect(readProxyList(answer)).toEqual(steps)
  })

  it('are complete, each a usable address or known as unusable', () => {
    const host = fc.oneof(
      fc.domain(),
      fc.ipV4(),
      fc.ipV6().map((ip) => `[${ip}]`),
    )
    const named = fc.record({
      word: fc.constantFrom('PROXY', 'HTTPS', 'SOCKS5'),
      host,
      port: fc.integer({ min: 1, max: 65_535 }),
    })
    fc.assert(
      fc.property(fc.array(named, { minLength: 1 }), (all) => {
        const answer = all.map((one) => `${one.word} ${one.host}:${one.port}`).join('; ')
        const steps = readProxyList(answer)
        expect(steps).toHaveLength(all.length)
        for (const [index, step] of steps.entries()) {
          const url = new URL(step.kind === 'proxy' ? step.url : 'none:')
          // A scheme's default port is omitted from an address.
          const port = url.port === '' ? { 'http:': 80, 'https:': 443 }[url.protocol] : url.port
          expect(Number(port)).toBe(all[index]?.port)
          expect(url.hostname).toBe(new URL(`http://${all[index]?.host}`).hostname)
        }
      }),
    )
  })

  it('are never an address with a user name, a path or another scheme', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => `PROXY ${text}`),
        ),
        (answer) => {
          for (const step of readProxyList(answer)) {
            if (step.kind !== 'proxy') continue
            const { protocol, username, password, pathname, search, hash } = new URL(step.url)
            expect(['http:', 'https:', 'socks5:']).toContain(protocol)
            expect([username, password, search, hash].join('')).toBe('')
            expect(['', '/']).toContain(pathname)
          }
        },
      ),
    )
  })
})
