import { describe, expect, it } from 'vitest'

import { serverView } from '../../e2e/fixtures/server-view'
import type { FailedStatus, RunStatus } from '../../src-shared/domain/running/run-status'
import type { ServerView } from '../../src-shared/domain/state/app-state'
import { tidyServer } from './follow-main'

/** Reverses the text after it (Unicode, bidirectional override). */
const TURN = '\u202E'

function tidied(status: RunStatus): RunStatus {
  return tidiedServer(status).status
}

function tidiedServer(status: RunStatus, more: Partial<ServerView> = {}): ServerView {
  return tidyServer(serverView({ status, ...more }))
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
  ])('are made safe in $kind, and nothing else is lost', (status) => {
    const after = tidied(status)
    expect(JSON.stringify(after)).not.toContain(TURN)
    expect(Object.keys(after)).toEqual(Object.keys(status))
    expect(after).toMatchObject({ kind: status.kind, code: 'SERVER_EXITED' })
  })

  it('are made safe if a sign-in is required or failed (C10)', () => {
    const words = { message: `It said ${TURN}a`, hint: `Look ${TURN}b` }
    const status = { kind: 'signInNeeded', host: 'a.example', ...words } as const
    const after = tidiedServer(status, { signIn: { kind: 'failed', ...words } })
    expect(JSON.stringify(after)).not.toContain(TURN)
    expect(after).toMatchObject({ status: { kind: 'signInNeeded' }, signIn: { kind: 'failed' } })
  })
})
