import { describe, expect, it } from 'vitest'

import { followDropped, keepDropped } from './dropped-bundle'

describe('A1 a bundle that was dropped', () => {
  it('is handed to the page that opens bundles, once, be it there before or after', async () => {
    const heard: string[] = []
    keepDropped('/first')
    // A page that is gone before it was drawn.
    followDropped((path) => heard.push(`gone ${path}`))()
    const end = followDropped((path) => heard.push(path))
    await Promise.resolve()
    expect(heard).toEqual(['/first'])
    keepDropped('/second')
    keepDropped('/second')
    expect(heard).toEqual(['/first', '/second', '/second'])
    end()
    keepDropped('/third')
    expect(heard).toHaveLength(3)
    const endNext = followDropped((path) => heard.push(path))
    await Promise.resolve()
    expect(heard.at(-1)).toBe('/third')
    endNext()
  })
})
