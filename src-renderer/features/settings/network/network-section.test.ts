import { describe, expect, it } from 'vitest'

import {
  typedCertificateFile,
  typedProxy,
  typedProxyUser,
  typedWithoutProxy,
} from './network-section'

const PROBLEM = { problem: expect.any(String) as string }

describe('E8: typed network settings', () => {
  it.each([
    ['proxy.acme.example:8080', 'http://proxy.acme.example:8080'],
    [' https://proxy.acme.example/ ', 'https://proxy.acme.example'],
    ['http://[fd00::1]:3128', 'http://[fd00::1]:3128'],
    ['', ''],
  ])('accept the proxy address "%s"', (typed, proxyUrl) => {
    expect(typedProxy(typed)).toEqual({ change: { proxyUrl } })
  })

  it.each([
    'http://ann:s3cret@proxy.acme.example:8080',
    'ann:s3cret@proxy.acme.example',
    'http://ann@proxy.acme.example',
  ])('reject "%s" with where to enter name and password, and repeat no part of it', (typed) => {
    const rejected = typedProxy(typed)
    expect('problem' in rejected && rejected.problem).toContain('Use the fields below')
    expect(JSON.stringify(rejected)).not.toMatch(/s3cret|ann/u)
  })

  it.each(['socks5://proxy.example', 'http://', 'a b', 'http://proxy.example/path', 'x:y:z'])(
    'reject "%s" as an address',
    (typed) => {
      expect(typedProxy(typed)).toMatchObject(PROBLEM)
    },
  )

  it('accept a user name with a domain, but none with a colon', () => {
    expect(typedProxyUser(' ACME\\ann ')).toEqual({ change: { proxyUser: 'ACME\\ann' } })
    expect(typedProxyUser('ann:s3cret')).toMatchObject(PROBLEM)
  })

  it('accept a list with any separators, but without URLs', () => {
    const withoutProxy = '.acme.example, 10.0.0.0/8, *'
    expect(typedWithoutProxy('.acme.example;10.0.0.0/8  *')).toEqual({ change: { withoutProxy } })
    expect(typedWithoutProxy('')).toEqual({ change: { withoutProxy: '' } })
    expect(typedWithoutProxy('https://a.example')).toMatchObject(PROBLEM)
  })

  it('add a file once, even if copied with quotes', () => {
    const add = typedCertificateFile(['/etc/acme.pem'])
    expect(add('"C:\\acme root.pem"')).toEqual({
      change: { certificateFiles: ['/etc/acme.pem', 'C:\\acme root.pem'] },
    })
    expect(add('/etc/acme.pem')).toMatchObject(PROBLEM)
    expect(add(' ')).toEqual({ change: {} })
  })
})
