import { expect, it } from 'vitest'

import { lateScreenAt } from './routes'

it('finds the screen of an address with lazily loaded code, and none if the code is bundled', () => {
  expect(lateScreenAt('/catalog')?.path).toBe('/catalog')
  expect(lateScreenAt('/setup/one/package-0')?.path).toBe('/setup/:entryId/:offer')
  for (const path of ['/', '/servers', '/servers/one/log', '/constructor'])
    expect(lateScreenAt(path)).toBeUndefined()
})
