import { describe, expect, it } from 'vitest'

import type { FailedStatus, PhaseRecord } from '../../../src-shared/domain/running/run-status'
import { factsBetween, type Watched, watched } from './facts-between'

const failure: Pick<FailedStatus, 'code' | 'message' | 'stderrTail' | 'fields'> = {
  ...{ code: 'SERVER_EXITED', message: 'The server exited with code 1.' },
  ...{ stderrTail: [], fields: [] },
}
const at = (status: Watched['status'], more: Partial<Watched> = {}): Watched => ({
  ...{ status, phases: [], restarts: 0 },
  ...more,
})
const stopped = at({ kind: 'stopped' })
const starting = at({ kind: 'starting', phase: 'spawn' })
const ready = at({ kind: 'ready' })
const error = at({ ...failure, kind: 'error' })
const kinds = (...looks: Watched[]): string[] =>
  looks.flatMap((now, index) => {
    const before = looks[index - 1]
    return before ? factsBetween(before, now, false).map(({ kind }) => kind) : []
  })

describe('B11: the events of a server', () => {
  it('are reported once per change', () => {
    const installing = at({ kind: 'starting', phase: 'install' })
    const degraded = at({ kind: 'degraded', warnings: [] })
    const stopping = at({ kind: 'stopping' })
    expect(kinds(stopped, installing, starting, ready, degraded, ready, stopping, stopped)).toEqual(
      [...['started', 'ready', 'stopped']],
    )
  })

  it('distinguish a failed start from a loss, and report a failure once', () => {
    const paused = at({ ...failure, kind: 'paused', reason: 'Five starts failed.' })
    expect(factsBetween(starting, error, false)).toEqual([
      { kind: 'failed', code: 'SERVER_EXITED', message: failure.message, wasRunning: false },
    ])
    expect(factsBetween(ready, paused, false)).toMatchObject([{ wasRunning: true }])
    expect(factsBetween(error, paused, false)).toEqual([])
  })

  it('report a repair once, when it is done', () => {
    const step = { phase: 'repair', budgetMs: 1, startedAt: 10 } as const
    const repairing = at(
      { kind: 'starting', phase: 'repair' },
      { phases: [{ ...step, outcome: 'running' }] },
    )
    const phases = [{ ...step, outcome: 'done', endedAt: 20 } as const]
    const repaired = at({ kind: 'starting', phase: 'install' }, { phases })
    const live = at({ kind: 'ready' }, { phases })
    expect(kinds(error, repairing, repaired, live, error, starting)).toEqual([
      ...['started', 'repaired', 'ready', 'failed', 'started'],
    ])
  })

  it('compare with earlier phases, although their records change while they run', () => {
    const step: PhaseRecord = { phase: 'repair', budgetMs: 1, startedAt: 10, outcome: 'running' }
    const server = at({ kind: 'starting', phase: 'repair' }, { phases: [step] })
    const before = watched(server)
    step.outcome = 'done'
    expect(factsBetween(before, server, false)).toEqual([{ kind: 'repaired' }])
  })

  it('contain the origin, and the duration of each phase', () => {
    expect(factsBetween(ready, stopped, true)).toEqual([{ kind: 'stopped', isByPerson: true }])
    const again = at({ kind: 'starting', phase: 'resolve' }, { restarts: 1 })
    expect(factsBetween(error, again, false)).toEqual([{ kind: 'started', isByItself: true }])
    const phase = { phase: 'spawn', budgetMs: 1, startedAt: 10 } as const
    const done = at(
      { kind: 'ready' },
      {
        phases: [
          { ...phase, phase: 'install', outcome: 'skipped' },
          { ...phase, outcome: 'done', endedAt: 250 },
        ],
      },
    )
    expect(factsBetween(starting, done, false)).toEqual([
      { kind: 'ready', phases: [{ phase: 'spawn', ms: 240 }] },
    ])
  })

  it('include a sign-in and its end', () => {
    expect(kinds(ready, { ...ready, signedIn: true }, ready)).toEqual(['signedIn', 'signedOut'])
  })
})
