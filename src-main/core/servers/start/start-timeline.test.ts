import { describe, expect, it, vi } from 'vitest'

import { pause } from '../../../../e2e/fixtures/pause'
import type { PhaseRecord } from '../../../../src-shared/domain/running/run-status'
import { StartTimeline } from './server-start'

describe('A8: the note of a phase', () => {
  it('shows the reason of the wait, then the earlier note again', async () => {
    const notes: (string | undefined)[] = []
    const track = new StartTimeline(new AbortController().signal, (_phase, records) =>
      notes.push(records.at(-1)?.note),
    )
    await track.run(
      'discover',
      60_000,
      () => {
        track.note('rate limited, next try in 8 s')
        return Promise.resolve()
      },
      { note: 'downloaded' },
    )
    track.note('too late')
    expect(notes).toEqual(['downloaded', 'rate limited, next try in 8 s', 'downloaded'])
  })
})

describe('B11: the duration of a phase', () => {
  it('is measured by the monotonic clock, without the wait for its turn', async () => {
    vi.spyOn(Date, 'now').mockReturnValue(1_000)
    let record: PhaseRecord | undefined
    const track = new StartTimeline(new AbortController().signal, (_phase, records) => {
      record = records.at(-1)
    })
    await track.run('install', 60_000, () => pause(20), { turn: pause(300) })
    vi.restoreAllMocks()
    expect(record?.startedAt).toBe(1_000)
    expect(record?.endedAt).toBeGreaterThanOrEqual(1_015)
    expect(record?.endedAt).toBeLessThan(1_300)
  })
})
