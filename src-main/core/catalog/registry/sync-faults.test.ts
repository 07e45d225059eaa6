import { describe, expect, it } from 'vitest'

import { listedServer, manyServers } from '../../../../e2e/fixtures/listed-servers'
import {
  listedNames,
  openTestRegistry,
  openTestStore,
  syncFrom,
} from '../../../../e2e/fixtures/test-catalog'

describe('D2 a sync that breaks off', () => {
  it.each([
    ['not-json', 'not-json'],
    ['no-list', 'wrong-shape'],
    ['refused', 'refused'],
    ['unauthorized', 'sign-in-needed'],
    ['busy', 'busy'],
    ['hang', 'timed-out'],
    ['too-large', 'too-large'],
  ] as const)(
    'loses nothing to a page that is %s, and keeps those before it',
    async (mode, code) => {
      const store = openTestStore()
      const running = await openTestRegistry(manyServers(150))
      await syncFrom(store, running)
      const before = listedNames(store)
      for (const place of [0, 149]) {
        const name = before[place] ?? ''
        running.entries[place] = listedServer({ name, description: 'Peculiar' })
      }
      running.misbehave(mode, { after: 1 })
      const timeLimitMs = mode === 'hang' ? 2_000 : 20_000
      const bounds = { byteLimit: 2 * 1024 * 1024, timeLimitMs }
      const report = await syncFrom(store, running, { mode: 'full' }, bounds)
      expect(report).toMatchObject({ pages: 1, changed: 1, removed: 0, fault: { code } })
      expect(listedNames(store)).toEqual(before)
      const changed = store.search({ text: 'peculiar' }).servers
      expect(changed.map(({ name }) => name)).toEqual(before.slice(0, 1))
      expect(store.sources.list()).toMatchObject([{ servers: 150, fault: { code } }])
    },
  )
})
