import { describe, expect, it } from 'vitest'

import { addressPasswords } from './address-passwords'

describe('A7: passwords in inherited addresses', () => {
  it('are found in raw and decoded form', () => {
    const env = {
      HTTPS_PROXY: 'http://me:p%40ss@127.0.0.1:3128',
      UV_INDEX_URL: 'https://__token__:pkg-secret@127.0.0.1/simple',
      HOME: '/home/me',
      NO_PROXY: 'a:b@c',
      PLAIN: 'http://127.0.0.1:8080/a:b@c',
      ODD: 'https://u:100%@127.0.0.1/',
    }
    expect(addressPasswords(env)).toEqual(['p%40ss', 'p@ss', 'pkg-secret', '100%'])
  })
})
