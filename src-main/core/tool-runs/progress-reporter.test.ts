import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { Progress } from '../mcp/peer/pending-requests'
import { ProgressReporter } from './run-tool'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('The progress of a trial', () => {
  it('is told twenty times a second at most, the newest each time and the last one always', () => {
    const told: Progress[] = []
    const steps = new ProgressReporter((step) => told.push(step))
    for (let progress = 1; progress <= 1_000; progress += 1) {
      steps.add({ progress, total: 1_000 })
      vi.advanceTimersByTime(1)
    }
    expect(told.length).toBeGreaterThan(15)
    expect(told.length).toBeLessThanOrEqual(21)
    steps.add({ progress: 1_001, message: 'last' })
    steps[Symbol.dispose]()
    expect(told.at(-1)).toEqual({ progress: 1_001, message: 'last' })
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is told at once after a rest, with a message that is cut', () => {
    const told: Progress[] = []
    const steps = new ProgressReporter((step) => told.push(step))
    steps.add({ progress: 1, message: 'x'.repeat(10_000) })
    expect(told).toHaveLength(1)
    expect(told[0]?.message?.length).toBeLessThan(600)
    vi.advanceTimersByTime(1_000)
    steps[Symbol.dispose]()
    expect(told).toHaveLength(1)
  })
})
