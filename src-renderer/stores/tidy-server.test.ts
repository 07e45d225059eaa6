import { describe, expect, it } from 'vitest'

import { NO_FAULTS } from '../../src-shared/domain/running/protocol-faults'
import type { FailedStatus, RunStatus } from '../../src-shared/domain/running/run-status'
import type { ServerView } from '../../src-shared/domain/state/app-state'
import { tidyServer } from './tidy-server'

/** Turns what follows it around (Unicode, bidirectional override). */
const TURN = '\u202E'

function tidied(status: RunStatus): RunStatus {
  return tidiedServer(status).status
}

function tidiedServer(status: RunStatus, more: Partial<ServerView> = {}): ServerView {
  const server: ServerView = {
    installationId: 'a',
    name: 'A',
    description: '',
    entryName: 'a/a',
    entryVersion: '1',
    registryType: 'npm',
    identifier: 'a',
    enabled: true,
    status,
    statusSince: 0,
    listing: 0,
    restarts: 0,
    phases: [],
    counts: { tools: 0, resources: 0, resourceTemplates: 0, prompts: 0 },
    faults: NO_FAULTS,
    hasSecrets: false,
    roots: [],
    asked: { roots: false, sampling: 0 },
    unapplied: [],
    earlier: [],
    ...more,
  }
  return tidyServer(server)
}

describe('texts of a failure', () => {
  const failure: Omit<FailedStatus, 'kind'> = {
    code: 'SERVER_EXITED',
    message: `It said ${TURN}a`,
    hint: `Look ${TURN}b`,
    stderrTail: [`line ${TURN}c`],
    fields: [],
  }

  it.each<RunStatus>([
    { ...failure, kind: 'error' },
    { ...failure, kind: 'backingOff', because: 'rest', attempt: 1, until: 0 },
    { ...failure, kind: 'paused', reason: `Failed ${TURN}d` },
  ])('are made safe in $kind, and nothing else of it is lost', (status) => {
    const after = tidied(status)
    expect(JSON.stringify(after)).not.toContain(TURN)
    expect(Object.keys(after)).toEqual(Object.keys(status))
    expect(after).toMatchObject({ kind: status.kind, code: 'SERVER_EXITED' })
  })

  it('are made safe where a sign-in is needed or failed (C10)', () => {
    const words = { message: `It said ${TURN}a`, hint: `Look ${TURN}b` }
    const status = { kind: 'signInNeeded', host: 'a.example', ...words } as const
    const after = tidiedServer(status, { signIn: { kind: 'failed', ...words } })
    expect(JSON.stringify(after)).not.toContain(TURN)
    expect(after).toMatchObject({ status: { kind: 'signInNeeded' }, signIn: { kind: 'failed' } })
  })
})
