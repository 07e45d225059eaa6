import { describe, expect, it } from 'vitest'

import { followDropped, storeDropped } from '../frame/use-dropped-bundle'

describe('A1: a bundle that was dropped', () => {
  it('is passed once to the page that opens bundles, whether it mounts before or after', async () => {
    const received: string[] = []
    storeDropped('/first')
    // A page that was unmounted before it rendered.
    followDropped((path) => received.push(`gone ${path}`))()
    const end = followDropped((path) => received.push(path))
    await Promise.resolve()
    expect(received).toEqual(['/first'])
    storeDropped('/second')
    storeDropped('/second')
    expect(received).toEqual(['/first', '/second', '/second'])
    end()
    storeDropped('/third')
    expect(received).toHaveLength(3)
    const endNext = followDropped((path) => received.push(path))
    await Promise.resolve()
    expect(received.at(-1)).toBe('/third')
    endNext()
  })
})
