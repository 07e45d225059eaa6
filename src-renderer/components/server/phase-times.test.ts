import { describe, expect, it } from 'vitest'

import type { PhaseRecord } from '../../../src-shared/domain/running/run-status'
import { phaseViews, startDuration } from './phase-times'

const record = (
  phase: PhaseRecord['phase'],
  startedAt: number,
  endedAt: number | undefined,
  outcome: PhaseRecord['outcome'],
): PhaseRecord => ({ phase, startedAt, endedAt, budgetMs: 30_000, outcome })

describe('steps of a start', () => {
  it('mark the longest successful one and the pending ones', () => {
    const phases = [
      record('resolve', 0, 40, 'done'),
      record('install', 40, 940, 'done'),
      record('spawn', 940, 1_000, 'done'),
      record('handshake', 1_000, undefined, 'running'),
    ]
    const views = phaseViews(phases, 4_500)
    expect(views.map(({ look: appearance }) => appearance)).toEqual([
      'quick',
      'long',
      'quick',
      'live',
      'rest',
    ])
    expect(views.map(({ text }) => text)).toEqual([
      '40 ms',
      '0.9 s',
      '60 ms',
      '3 s of 30 s',
      'to come',
    ])
    expect(startDuration(phases, 4_500)).toBe(4_500)
  })

  it('include the setup of a runner only if it ran, and describe special cases', () => {
    const phases = [
      record('setUp', 0, 900, 'done'),
      record('resolve', 900, 940, 'done'),
      { ...record('handshake', 1_000, undefined, 'running'), note: 'downloads first' },
    ]
    const views = phaseViews(phases, 4_500)
    expect(views.map(({ phase }) => phase)).toEqual([
      ...['setUp', 'resolve', 'install', 'spawn', 'handshake', 'discover'],
    ])
    expect(views[4]?.text).toBe('3 s of 30 s, downloads first')
    const waiting = { ...record('install', 40, undefined, 'running'), isWaiting: true }
    expect(phaseViews([waiting], 4_500)[1]?.text).toBe('waiting for its turn')
    expect(phaseViews([waiting], 4_500)).toHaveLength(5)
  })

  it('name the limit if a step timed out', () => {
    const views = phaseViews([record('resolve', 0, 30_050, 'failed')], 99_000)
    expect(views[0]).toMatchObject({ look: 'bad', text: '30 s, limit' })
    expect(views[1]).toMatchObject({ look: 'rest', text: 'not reached' })
  })
})
