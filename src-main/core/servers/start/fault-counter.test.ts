import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { FaultCounter } from './session-counts'

describe('B3: fault counter', () => {
  it('counts all faults, logs the first five of each kind, and reports changes', async () => {
    const reported: string[] = []
    let changes = 0
    const counter = new FaultCounter(
      (sentence) => reported.push(sentence),
      () => (changes += 1),
    )
    for (let index = 0; index < 100; index += 1)
      counter.add('unknownAnswers', `No ${index} … (cut)`)
    expect(counter.counts.unknownAnswers).toBe(100)
    expect(reported).toEqual([
      ...[0, 1, 2, 3, 4].map((index) => `No ${index} … (cut)`),
      'Further warnings of this kind are only counted.',
    ])
    expect(changes).toBe(1)
    await expect.poll(() => changes).toBe(2)
  })

  it('reports nothing after dispose', () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    let changes = 0
    const counter = new FaultCounter(
      () => undefined,
      () => (changes += 1),
    )
    counter.add('noiseLines')
    counter.add('noiseLines')
    counter[Symbol.dispose]()
    vi.runAllTimers()
    expect(changes).toBe(1)
  })
})
