import { describe, expect, it } from 'vitest'

import { environmentProxies, proxyFor } from './environment-proxies'

const all = 'http://all.example:1'

describe('E8: the proxy of the environment', () => {
  it.each<[Record<string, string>, string | undefined, string | undefined]>([
    [{ ALL_PROXY: all }, all, all],
    [{ all_proxy: 'all.example:1' }, all, all],
    [{ ALL_PROXY: all, http_proxy: 'http://own:1' }, 'http://own:1', all],
    [{ ALL_PROXY: all, HTTPS_PROXY: 'http://own:1' }, all, 'http://own:1'],
    [{ ALL_PROXY: all, HTTP_PROXY: '' }, all, all],
    [{ ALL_PROXY: all, NO_PROXY: '*' }, undefined, undefined],
    [{ ALL_PROXY: 'socks5://all.example:1' }, 'socks5://all.example:1', 'socks5://all.example:1'],
    [{ ALL_PROXY: 'socks5h://all.example:1' }, 'socks5://all.example:1', 'socks5://all.example:1'],
    [{ ALL_PROXY: 'socks4://x:1', HTTP_PROXY: all, HTTPS_PROXY: all }, all, all],
    [{ HTTP_PROXY: all }, all, all],
  ])('%j leads to http by %s and to https by %s', (environment, http, https) => {
    const named = environmentProxies(environment)
    if (named === undefined || named === 'unusable') throw new Error('it names none')
    expect(proxyFor(new URL('http://registry.example'), named)).toBe(http)
    expect(proxyFor(new URL('https://registry.example'), named)).toBe(https)
    expect(proxyFor(new URL('http://localhost'), named)).toBeUndefined()
  })

  it.each([
    [{}, undefined],
    [{ ALL_PROXY: '' }, undefined],
    [{ ALL_PROXY: 'socks4://all.example:1' }, 'unusable'],
    [{ ALL_PROXY: 'socks://all.example:1', HTTPS_PROXY: all }, 'unusable'],
    [{ HTTPS_PROXY: 'socks5://all.example:1', ALL_PROXY: all }, 'unusable'],
  ])('%j is %s', (environment, named) => {
    expect(environmentProxies(environment)).toBe(named)
  })
})
