import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { Progress } from '../mcp/peer/pending-requests'
import { ProgressReporter } from './run-tool'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('The progress of a tool run', () => {
  it('is reported at most twenty times a second, with the newest step, and always with the last one', () => {
    const reported: Progress[] = []
    const steps = new ProgressReporter((step) => reported.push(step))
    for (let progress = 1; progress <= 1_000; progress += 1) {
      steps.add({ progress, total: 1_000 })
      vi.advanceTimersByTime(1)
    }
    expect(reported.length).toBeGreaterThan(15)
    expect(reported.length).toBeLessThanOrEqual(21)
    steps.add({ progress: 1_001, message: 'last' })
    steps[Symbol.dispose]()
    expect(reported.at(-1)).toEqual({ progress: 1_001, message: 'last' })
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is reported immediately after a pause, with its message cut', () => {
    const reported: Progress[] = []
    const steps = new ProgressReporter((step) => reported.push(step))
    steps.add({ progress: 1, message: 'x'.repeat(10_000) })
    expect(reported).toHaveLength(1)
    expect(reported[0]?.message?.length).toBeLessThan(600)
    vi.advanceTimersByTime(1_000)
    steps[Symbol.dispose]()
    expect(reported).toHaveLength(1)
  })
})
