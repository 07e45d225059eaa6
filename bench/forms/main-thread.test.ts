import { describe, expect, it } from 'vitest'

import { longestTasks, type TraceEvent } from './main-thread'

const task = (ts: number, dur: number, tid = 1): TraceEvent => ({
  name: 'RunTask',
  ph: 'X',
  pid: 1,
  tid,
  ts: ts * 1000,
  dur: dur * 1000,
})
const key = (ts: number): TraceEvent => ({
  name: 'EventDispatch',
  ph: 'X',
  pid: 1,
  tid: 1,
  ts: ts * 1000,
  args: { data: { type: 'keydown' } },
})

describe('the longest task of each key', () => {
  it('is the longest from its own task to the next key, of the same thread only', () => {
    const events = [
      task(0, 90),
      task(99, 4),
      key(100),
      task(120, 7),
      task(130, 80, 2),
      task(199, 30),
      key(200),
    ]
    expect(longestTasks(events, 'keydown')).toEqual([7, 30])
  })

  it('is none where no key came', () => {
    expect(longestTasks([task(0, 9)], 'keydown')).toEqual([])
  })
})
