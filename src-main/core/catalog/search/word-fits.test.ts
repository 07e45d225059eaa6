import { describe, expect, it } from 'vitest'

import { listedServer, npmPackage } from '../../../../e2e/fixtures/listed-servers'
import { openTestRegistry, openTestStore, syncFrom } from '../../../../e2e/fixtures/test-catalog'

/** Servers of one account with equally long names; each has the word in a worse place than the one before. */
const PLACES = [
  listedServer({ name: 'io.github.ann/lamp' }),
  listedServer({ name: 'io.github.ann/x-of', title: 'Begins with lamplight, not a lamp' }),
  listedServer({ name: 'io.github.ann/lamps' }),
  listedServer({ name: 'io.github.ann/pack', packages: [npmPackage('x-lamplight')] }),
  listedServer({ name: 'io.github.ann/clamp' }),
  listedServer({ name: 'io.github.ann/text', description: 'Lampshades', title: 'Clamps' }),
  listedServer({ name: 'io.github.ann/last', description: 'Lampshades' }),
  listedServer({ name: 'lamp.acme/host' }),
]

describe('D2: the best place of a word counts', () => {
  it('from a word in the name to one in the description, and never the host', async () => {
    const store = openTestStore()
    await syncFrom(store, await openTestRegistry(PLACES.toReversed()))
    const { servers } = store.search({ text: 'lamp' })
    expect(servers.map(({ name }) => name.split('/')[1])).toEqual([
      ...['lamp', 'x-of', 'lamps', 'pack', 'text', 'clamp', 'last'],
    ])
  })
})
