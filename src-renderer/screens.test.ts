import { expect, it } from 'vitest'

import { lateScreenAt, screens } from './screens'

it('names the screen of an address whose code comes late, and none for what is here', () => {
  expect(lateScreenAt('/catalog')).toBe(screens.Catalog)
  expect(lateScreenAt('/setup/one/package-0')).toBe(screens.Setup)
  for (const path of ['/', '/servers', '/servers/one/log', '/constructor'])
    expect(lateScreenAt(path)).toBeUndefined()
})
