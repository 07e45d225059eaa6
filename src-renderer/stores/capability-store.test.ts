import { beforeEach, describe, expect, it } from 'vitest'

import { NO_FAULTS } from '../../src-shared/domain/running/protocol-faults'
import type { ServerView } from '../../src-shared/domain/state/app-state'
import type { Bridge } from '../../src-shared/ipc/contract/contract'
import { setLine } from '../ipc/call'
import { capabilityStore, ensureCapabilities } from './capability-store'

const NOTHING = { tools: [], resources: [], resourceTemplates: [], prompts: [], notices: [] }
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
  let asked = 0
  beforeEach(() => {
    asked = 0
    capabilityStore.setState({ known: {} })
    const answer = () => {
      asked += 1
      return Promise.resolve({ ok: true, value: NOTHING })
    }
    setLine({ requests: { 'server.capabilities': answer } } as unknown as Bridge)
  })
  const askedAfter = (change: Partial<ServerView>): number => {
    ensureCapabilities({ ...SERVER, ...change })
    return asked
  }

  it('are read anew when the listing or the process is another, however equal the counts are', () => {
    expect(askedAfter({})).toBe(1)
    expect(askedAfter({ listing: 2 })).toBe(2)
    expect(askedAfter({ listing: 2, upSince: 2_000 })).toBe(3)
    expect(askedAfter({ listing: 2, upSince: 2_000 })).toBe(3)
  })

  it('are not read anew for a warning that comes or goes', () => {
    expect(askedAfter({})).toBe(1)
    expect(askedAfter({ status: { kind: 'degraded', warnings: ['Slow.'] }, statusSince: 9 })).toBe(
      1,
    )
  })

  it('C8: are the last known ones of a server that does not run, read once', () => {
    expect(askedAfter({})).toBe(1)
    const stopped = { status: { kind: 'stopped' as const }, upSince: undefined }
    expect(askedAfter(stopped)).toBe(2)
    expect(askedAfter(stopped)).toBe(2)
  })
})
