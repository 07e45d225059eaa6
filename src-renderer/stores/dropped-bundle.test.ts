import { describe, expect, it } from 'vitest'

import { followDropped, keepDropped } from '../frame/use-dropped-bundle'

describe('A1: a bundle that was dropped', () => {
  it('is passed once to the page that opens bundles, whether it mounts before or after', async () => {
    const received: string[] = []
    keepDropped('/first')
    // A page that was unmounted before it rendered.
    followDropped((path) => received.push(`gone ${path}`))()
    const end = followDropped((path) => received.push(path))
    await Promise.resolve()
    expect(received).toEqual(['/first'])
    keepDropped('/second')
    keepDropped('/second')
    expect(received).toEqual(['/first', '/second', '/second'])
    end()
    keepDropped('/third')
    expect(received).toHaveLength(3)
    const endNext = followDropped((path) => received.push(path))
    await Promise.resolve()
    expect(received.at(-1)).toBe('/third')
    endNext()
  })
})
