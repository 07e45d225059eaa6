import { describe, expect, it } from 'vitest'

import type { CacheEntry } from './cache-entry'
import { CopyUses } from './copy-uses'

const NOTES: CacheEntry = { runner: 'npx', packages: ['notes'] }
const user = (name: string) => ({ installationId: name.toLowerCase(), name })

describe('E7: uses of a cached copy', () => {
  it('name other servers in their order until each use ends', () => {
    const uses = new CopyUses()
    const first = uses.begin(NOTES, user('One'))
    const second = uses.begin({ ...NOTES }, user('One'))
    uses.begin({ runner: 'npx', packages: ['other'] }, user('Three'))
    uses.begin(NOTES, user('Two'))
    expect(uses.otherUsers(NOTES, 'one')).toEqual(['Two'])
    expect(uses.otherUsers(NOTES, 'two')).toEqual(['One', 'One'])
    first[Symbol.dispose]()
    first[Symbol.dispose]()
    expect(uses.otherUsers(NOTES, 'two')).toEqual(['One'])
    second[Symbol.dispose]()
    expect(uses.otherUsers(NOTES, 'two')).toEqual([])
  })
})
