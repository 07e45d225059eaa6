import type { lookup as lookupAll } from 'node:dns'

import { describe, expect, it } from 'vitest'

import { isPublicAddress, isPublicNumber, leadsToPublic, publicLookup } from './public-address'

describe('D2: addresses for icons', () => {
  it.each(['https://cdn.example.com/a.png', 'https://cdn.example.com./a', 'https://1.example.com'])(
    'are public names: %s',
    (text) => {
      expect(isPublicAddress(new URL(text))).toBe(true)
    },
  )

  it.each([
    'http://cdn.example.com/a.png',
    'https://127.0.0.1/a',
    'https://127.0.0.1./a',
    'https://[::1]/a',
    'https://0x7f.1/a',
    'https://localhost/a',
    'https://localhost./a',
    'https://localhost../a',
    'https://router/a',
    'https://router./a',
    'https://nas.local/a',
    'https://nas.local../a',
    'https://a.localhost/a',
    'https://127.0.0.1.names.example/a',
    'https://a.10-0-0-1.names.example/a',
    'https://ann:pass@cdn.example.com/a',
    'file:///etc/passwd',
  ])('are not: %s', (text) => {
    expect(isPublicAddress(new URL(text))).toBe(false)
  })

  it('exclude IP addresses of this computer and its network', () => {
    for (const own of [
      ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.53', '169.254.169.254', '172.31.0.1'],
      ...['192.168.1.1', '224.0.0.1', '255.255.255.255'],
      ...['::', '::1', '::ffff:127.0.0.1', '::ffff:10.0.0.1', 'fd00::1', 'fe80::1', 'ff02::1'],
    ]) {
      expect(isPublicNumber(own), own).toBe(false)
    }
    for (const other of ['1.1.1.1', '172.32.0.1', '198.18.0.7', '2606:4700::1111']) {
      expect(isPublicNumber(other), other).toBe(true)
    }
  })

  it('have names that resolve to public addresses only, or not at all, since a proxy may know them', async () => {
    const address = new URL('https://cdn.example.com/a')
    const leads = (...numbers: string[]) => leadsToPublic(address, () => Promise.resolve(numbers))
    expect(await leads('1.1.1.1', '2606:4700::1111')).toBe(true)
    expect(await leads('1.1.1.1', '192.168.1.1')).toBe(false)
    expect(await leads('::1')).toBe(false)
    expect(await leadsToPublic(address, () => Promise.reject(new Error('ENOTFOUND')))).toBe(true)
    expect(await leadsToPublic(new URL('https://localhost./a'))).toBe(false)
  })
})

describe('D2: the connections that load icons', () => {
  type Found = { readonly address: string; readonly family: number }

  /** Looks up a name that has these addresses, or fails without any. */
  const lookedUp = (numbers: readonly string[], all: boolean): Promise<unknown> => {
    const found = numbers.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    const lookUp = (
      _name: string,
      _options: object,
      callback: (error: Error | null, found: readonly Found[]) => void,
    ): void => callback(numbers[0] === '' ? new Error('ENOTFOUND') : null, found)
    const { promise, resolve } = Promise.withResolvers<unknown>()
    publicLookup(lookUp as unknown as typeof lookupAll)(
      'a.example',
      { all },
      (error, address, family) =>
        resolve(error ? error.message : all ? address : [address, family]),
    )
    return promise
  }

  it('use the addresses that were checked', async () => {
    const [one, two] = ['1.1.1.1', '2606:4700::1111']
    expect(await lookedUp([one, two], false)).toEqual([one, 4])
    expect(await lookedUp([two], false)).toEqual([two, 6])
    const all = [
      { address: one, family: 4 },
      { address: two, family: 6 },
    ]
    expect(await lookedUp([one, two], true)).toEqual(all)
  })

  it.each([
    ['an address of this computer', ['127.0.0.1']],
    ['one private address among public ones', ['1.1.1.1', '192.168.1.1']],
    ['a mapped address', ['::ffff:10.0.0.1']],
    ['no address', []],
  ])('fail for a name with %s', async (_what, numbers) => {
    for (const all of [true, false]) expect(await lookedUp(numbers, all)).toMatch(/a\.example/u)
  })

  it('fail with the error of the lookup', async () => {
    expect(await lookedUp([''], true)).toBe('ENOTFOUND')
  })
})
