import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { serverView } from '../../../e2e/fixtures/server-view'
import { WatchedQueries } from '../../../e2e/fixtures/watched-query'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { capabilityOptions } from './use-capabilities'

const SERVER = serverView({ status: { kind: 'ready' }, upSince: 1_000, listing: 1 })

describe('C1, C2: capabilities of a server', () => {
  let main: WatchedQueries
  beforeEach(() => {
    main = new WatchedQueries()
  })
  afterEach(() => main[Symbol.dispose]())

  const askedAfter = async (change: Partial<ServerView>): Promise<number> => {
    const asking = capabilityOptions({ ...SERVER, ...change })
    const { stop } = main.look('server.capabilities', { installationId: 'fetch' }, asking)
    await main.answer(main.requests.length - 1, { tools: [] })
    stop()
    return main.requests.length
  }

  it('are reloaded for a new listing or a new process, even with equal counts', async () => {
    expect(await askedAfter({})).toBe(1)
    expect(await askedAfter({ listing: 2 })).toBe(2)
    expect(await askedAfter({ listing: 2, upSince: 2_000 })).toBe(3)
    expect(await askedAfter({ listing: 2, upSince: 2_000 })).toBe(3)
  })

  it('are not reloaded when a warning comes or goes', async () => {
    expect(await askedAfter({})).toBe(1)
    const warned = { status: { kind: 'degraded' as const, warnings: ['Slow.'] }, statusSince: 9 }
    expect(await askedAfter(warned)).toBe(1)
  })

  it('C8: are the last known ones of a stopped server, loaded once', async () => {
    expect(await askedAfter({})).toBe(1)
    const stopped = { status: { kind: 'stopped' as const }, upSince: undefined }
    expect(await askedAfter(stopped)).toBe(2)
    expect(await askedAfter(stopped)).toBe(2)
  })
})
