import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { WatchedQueries } from '../../e2e/fixtures/watched-query'
import { NO_FAULTS } from '../../src-shared/domain/running/protocol-faults'
import type { ServerView } from '../../src-shared/domain/state/app-state'
import { capabilityAsking } from './use-capabilities'

const SERVER: ServerView = {
  installationId: 'fetch',
  name: 'Fetch',
  description: '',
  entryName: 'io.example/fetch',
  entryVersion: '1.0.0',
  registryType: 'npm',
  identifier: 'fetch',
  enabled: true,
  status: { kind: 'ready' },
  statusSince: 0,
  upSince: 1_000,
  listing: 1,
  restarts: 0,
  phases: [],
  counts: { tools: 1, resources: 0, resourceTemplates: 0, prompts: 0 },
  faults: NO_FAULTS,
  hasSecrets: false,
  roots: [],
  asked: { roots: false, sampling: 0 },
  unapplied: [],
  earlier: [],
}

describe('C1, C2: the capabilities of a server', () => {
  let main: WatchedQueries
  beforeEach(() => {
    main = new WatchedQueries()
  })
  afterEach(() => main[Symbol.dispose]())

  const askedAfter = async (change: Partial<ServerView>): Promise<number> => {
    const asking = capabilityAsking({ ...SERVER, ...change })
    const { stop } = main.look('server.capabilities', { installationId: 'fetch' }, asking)
    await main.answer(main.asked.length - 1, { tools: [] })
    stop()
    return main.asked.length
  }

  it('are read anew when the listing or the process is another, however equal the counts are', async () => {
    expect(await askedAfter({})).toBe(1)
    expect(await askedAfter({ listing: 2 })).toBe(2)
    expect(await askedAfter({ listing: 2, upSince: 2_000 })).toBe(3)
    expect(await askedAfter({ listing: 2, upSince: 2_000 })).toBe(3)
  })

  it('are not read anew for a warning that comes or goes', async () => {
    expect(await askedAfter({})).toBe(1)
    const warned = { status: { kind: 'degraded' as const, warnings: ['Slow.'] }, statusSince: 9 }
    expect(await askedAfter(warned)).toBe(1)
  })

  it('C8: are the last known ones of a server that does not run, read once', async () => {
    expect(await askedAfter({})).toBe(1)
    const stopped = { status: { kind: 'stopped' as const }, upSince: undefined }
    expect(await askedAfter(stopped)).toBe(2)
    expect(await askedAfter(stopped)).toBe(2)
  })
})
