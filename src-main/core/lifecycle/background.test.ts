import { afterEach, describe, expect, it, vi } from 'vitest'

import { background } from './background'

const rejections: unknown[] = []
const onRejection = (reason: unknown): void => void rejections.push(reason)
afterEach(() => {
  process.off('unhandledRejection', onRejection)
  vi.restoreAllMocks()
})

describe('D8: background work', () => {
  it("logs its failure in the app's log, and ends nothing", async () => {
    process.on('unhandledRejection', onRejection)
    const written: string[] = []
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0)
    background(Promise.reject(new Error('The disk is full.\u001b[31m\nforged')), 'saving a list')
    background(Promise.reject(new Error('x'.repeat(5_000))), 'saving another')
    background(Promise.resolve(), 'saving a third')
    // Unhandled rejections are reported after the microtasks.
    await new Promise((resolve) => setImmediate(resolve))
    expect(rejections).toEqual([])
    expect(written).toHaveLength(2)
    expect(written[0]).toMatch(/^patchbay: saving a list: The disk is full\..*\n$/u)
    expect(written[0]).not.toContain('\u001b')
    expect(written[1]?.length).toBeLessThan(1_100)
  })
})
