import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { JoinBuffer } from './join-buffer'

const MEGABYTE = 1024 * 1024
const part = (bytes: number, fill: string): Buffer => Buffer.alloc(bytes, fill)

describe('B2 joining a large message', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('puts small and large parts behind each other', () => {
    const buffer = new JoinBuffer()
    for (const size of [10, MEGABYTE]) {
      const parts = [part(size, 'a'), part(1, 'b'), part(size, 'c')]
      const joined = buffer.join(parts, 2 * size + 1)
      expect(joined.equals(Buffer.concat(parts))).toBe(true)
    }
  })

  it('uses the same memory for the next large message, also for a smaller one', () => {
    const buffer = new JoinBuffer()
    const first = buffer.join([part(2 * MEGABYTE, 'a')], 2 * MEGABYTE)
    const second = buffer.join([part(MEGABYTE, 'b')], MEGABYTE)
    expect(second.buffer).toBe(first.buffer)
    expect(second.equals(part(MEGABYTE, 'b'))).toBe(true)
  })

  it('lets the memory go once no large message has come for a while', () => {
    const buffer = new JoinBuffer()
    const first = buffer.join([part(MEGABYTE, 'a')], MEGABYTE)
    vi.advanceTimersByTime(4_000)
    expect(buffer.join([part(MEGABYTE, 'b')], MEGABYTE).buffer).toBe(first.buffer)
    vi.advanceTimersByTime(4_000)
    expect(buffer.join([part(MEGABYTE, 'c')], MEGABYTE).buffer).toBe(first.buffer)
    vi.advanceTimersByTime(6_000)
    expect(buffer.join([part(MEGABYTE, 'd')], MEGABYTE).buffer).not.toBe(first.buffer)
  })

  it('never shares the memory of small messages, which may be kept', () => {
    const buffer = new JoinBuffer()
    const first = buffer.join([part(10, 'a'), part(10, 'a')], 20)
    buffer.join([part(10, 'b'), part(10, 'b')], 20)
    expect(first.equals(part(20, 'a'))).toBe(true)
  })
})
