import { describe, expect, it } from 'vitest'

import { listedServer } from '../../../../e2e/fixtures/listed-servers'
import type { LocalRegistry } from '../../../../e2e/fixtures/local-registry'
import { openTestRegistry, openTestStore, syncFrom } from '../../../../e2e/fixtures/test-catalog'
import type { CatalogStore } from '../store/catalog-store'

/** A registry of two pages with always new servers; its clock starts at 08:00 and advances an hour per request. */
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

/** The time from which an increment requests changes. */
async function askedSince(store: CatalogStore, running: LocalRegistry): Promise<string | null> {
  const asked = running.requests.length
  expect(await syncFrom(store, running)).toMatchObject({ kind: 'increment', pages: 2 })
  return new URL(running.requests[asked] ?? '', running.url).searchParams.get('updated_since')
}

describe('D2: the start time of an increment', () => {
  it("is the registry's time at the first page of the previous sync, minus five minutes", async () => {
    const store = openTestStore()
    const running = await openHourly()
    await syncFrom(store, running)
    expect(await askedSince(store, running)).toBe('2026-01-01T07:55:00.000Z')
    expect(await askedSince(store, running)).toBe('2026-01-01T09:55:00.000Z')
  })

  it("is that of a full sync's first page, even if it was interrupted", async () => {
    const store = openTestStore()
    const running = await openHourly()
    running.misbehave('cut-off', { after: 1, times: 1 })
    expect(await syncFrom(store, running)).toMatchObject({ fault: { code: 'cut-off' } })
    expect(await syncFrom(store, running)).toMatchObject({ kind: 'full', pages: 2 })
    expect(await askedSince(store, running)).toBe('2026-01-01T07:55:00.000Z')
  })
})
