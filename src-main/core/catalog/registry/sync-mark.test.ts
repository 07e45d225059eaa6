import { describe, expect, it } from 'vitest'

import { listedServer } from '../../../../e2e/fixtures/listed-servers'
import type { LocalRegistry } from '../../../../e2e/fixtures/local-registry'
import { openTestRegistry, openTestStore, syncFrom } from '../../../../e2e/fixtures/test-catalog'
import type { CatalogStore } from '../store/catalog-store'

/** A registry of two pages that are always new; its clock is an hour further with each request, and begins at 08:00. */
function openHourly(): Promise<LocalRegistry> {
  let hour = 7
  const updatedAt = '2100-01-01T00:00:00Z'
  const entries = Array.from({ length: 150 }, (_, index) =>
    listedServer({ name: `org.example/server-${index}`, updatedAt }),
  )
  return openTestRegistry(entries, {
    intercept: (_request, response) => {
      hour += 1
      response.setHeader('date', new Date(Date.UTC(2026, 0, 1, hour)).toUTCString())
      return false
    },
  })
}

/** The time since which an increment asks for what changed. */
async function askedSince(store: CatalogStore, running: LocalRegistry): Promise<string | null> {
  const asked = running.requests.length
  expect(await syncFrom(store, running)).toMatchObject({ kind: 'increment', pages: 2 })
  return new URL(running.requests[asked] ?? '', running.url).searchParams.get('updated_since')
}

describe('D2 the time since which an increment asks', () => {
  it('is the registry’s own at the first page of the sync before, less five minutes', async () => {
    const store = openTestStore()
    const running = await openHourly()
    await syncFrom(store, running)
    expect(await askedSince(store, running)).toBe('2026-01-01T07:55:00.000Z')
    expect(await askedSince(store, running)).toBe('2026-01-01T09:55:00.000Z')
  })

  it('is that of the first page of a full sync, also where that was interrupted', async () => {
    const store = openTestStore()
    const running = await openHourly()
    running.misbehave('cut-off', { after: 1, times: 1 })
    expect(await syncFrom(store, running)).toMatchObject({ fault: { code: 'cut-off' } })
    expect(await syncFrom(store, running)).toMatchObject({ kind: 'full', pages: 2 })
    expect(await askedSince(store, running)).toBe('2026-01-01T07:55:00.000Z')
  })
})
