import { expect, it } from 'vitest'

import { lateScreenAt } from './routes'

it('names the screen of an address whose code comes late, and none for what is here', () => {
  expect(lateScreenAt('/catalog')?.path).toBe('/catalog')
  expect(lateScreenAt('/setup/one/package-0')?.path).toBe('/setup/:entryId/:offer')
  for (const path of ['/', '/servers', '/servers/one/log', '/constructor'])
    expect(lateScreenAt(path)).toBeUndefined()
})
