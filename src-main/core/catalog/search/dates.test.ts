import { describe, expect, it } from 'vitest'

import { listedServer } from '../../../../e2e/fixtures/listed-servers'
import { openTestRegistry, openTestStore, syncFrom } from '../../../../e2e/fixtures/test-catalog'

describe('D2: the order by date', () => {
  it("keeps servers with impossible dates, no later than today's", async () => {
    const store = openTestStore()
    const dates = ['2300-01-01T00:00:00Z', '+200000-01-01T00:00:00Z', '2026-01-01T00:00:00Z', '?']
    const entries = dates.map((updatedAt, at) => listedServer({ name: `a.b/at-${at}`, updatedAt }))
    await syncFrom(store, await openTestRegistry(entries))
    for (const sort of ['relevance', 'updated', 'published', 'name'] as const) {
      const { servers, total } = store.search({ text: '', sort })
      expect(total).toBe(4)
      const names = servers.map(({ name }) => name)
      expect(names.toSorted()).toEqual(['a.b/at-0', 'a.b/at-1', 'a.b/at-2', 'a.b/at-3'])
      if (sort !== 'name') expect(names.slice(2)).toEqual(['a.b/at-2', 'a.b/at-3'])
    }
  })
})
