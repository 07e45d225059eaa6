import { beforeEach, describe, expect, it } from 'vitest'

import type { Bridge } from '../../../src-shared/ipc/contract'
import { setLine } from '../../ipc/call'
import { exportCalls } from './activity-page'

const PARTS = [
  { text: 'a\nb\n', count: 2, next: 7 },
  { text: 'c\n', count: 1, next: 6 },
  { text: 'd\n', count: 1 },
]

describe('D6: export of calls', () => {
  const requests: unknown[] = []
  beforeEach(() => {
    requests.length = 0
    const part = (input: unknown): Promise<unknown> => {
      requests.push(input)
      return Promise.resolve({ ok: true, value: PARTS[requests.length - 1] })
    }
    setLine({ requests: { 'activity.export': part } } as unknown as Bridge)
  })

  it('loads part after part and reports the progress', async () => {
    const reported: number[] = []
    const { signal } = new AbortController()
    const run = { signal, onProgress: (done: number) => reported.push(done) }
    expect((await exportCalls({ text: 'x', outcomes: [] }, run)).join('')).toBe('a\nb\nc\nd\n')
    expect(reported).toEqual([2, 3, 4])
    expect(requests).toMatchObject([{ text: 'x' }, { before: 7 }, { before: 6 }])
  })

  it('stops loading when it is canceled', async () => {
    const control = new AbortController()
    const run = { signal: control.signal, onProgress: () => control.abort() }
    expect(await exportCalls({ text: '', outcomes: [] }, run)).toEqual(['a\nb\n'])
    expect(requests).toHaveLength(1)
  })
})
