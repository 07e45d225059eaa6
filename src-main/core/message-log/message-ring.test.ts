import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { SharedByteLimit } from '../lifecycle/shared-byte-limit'
import { MessageRing } from './message-ring'

const KB = 1024
const LIMITS = { mostMessages: 700, mostBytes: 160 * KB, longestBytes: 60 * KB }
const WAY = { session: 1, direction: 'sent' } as const

function openRing(room = new SharedByteLimit(1024 * KB), limits: Partial<typeof LIMITS> = {}) {
  return new MessageRing({ ...LIMITS, ...limits, room, shorten: (text) => text })
}

const NONE = { length: 0, isWide: false, isLine: false }

/** Makes a unique text that contains its number. */
const textOf = (at: number, length: number, isWide: boolean): string =>
  `${String(at)} ${(isWide ? '😀é' : 'ab').repeat(length / 2)}`

function add(ring: MessageRing, text: string, isLine: boolean): void {
  const message = { jsonrpc: '2.0', method: 'a' } as const
  ring.add(WAY, message, isLine ? `${text}\n` : Buffer.from(text))
}

const held = (ring: MessageRing): (string | undefined)[] => {
  const texts: (string | undefined)[] = []
  for (let seq = ring.firstSeq; seq < ring.nextSeq; seq += 1) {
    texts.push(ring.get(seq)?.text)
  }
  return texts
}

describe('D5: the stored messages of a server', () => {
  it('are the newest ones with their texts, within the limits', () => {
    const shape = fc.record({
      length: fc.oneof(
        { weight: 20, arbitrary: fc.integer({ min: 0, max: 400 }) },
        { weight: 2, arbitrary: fc.integer({ min: 6 * KB, max: 10 * KB }) },
        { weight: 1, arbitrary: fc.integer({ min: 10 * KB, max: 70 * KB }) },
      ),
      isWide: fc.boolean(),
      isLine: fc.boolean(),
    })
    const clears = fc.option(fc.nat({ max: 900 }), { nil: -1 })
    const pattern = fc.array(shape, { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(pattern, fc.nat({ max: 1_800 }), clears, (some, count, clearAt) => {
        const all = Array.from({ length: count }, (_, at) => some[at % some.length] ?? NONE)
        const ring = openRing()
        const texts = all.map(({ length, isWide }, at) => textOf(at, length, isWide))
        for (const [at, text] of texts.entries()) {
          if (at === clearAt) ring.clear()
          add(ring, text, all[at]?.isLine === true)
          expect(ring.bytes).toBeLessThanOrEqual(LIMITS.mostBytes)
          const bytes = Buffer.byteLength(text)
          const newest = ring.get(at)
          expect(newest?.bytes).toBe(bytes)
          const isHeld = bytes <= LIMITS.longestBytes
          expect(newest?.text).toBe(isHeld ? text : undefined)
        }
        const from = clearAt >= 0 && clearAt < all.length ? clearAt : 0
        expect(ring.firstSeq).toBe(Math.max(from, all.length - LIMITS.mostMessages))
        expect(ring.nextSeq).toBe(all.length)
        expect(ring.get(ring.firstSeq - 1)).toBeUndefined()
        for (const [index, text] of held(ring).entries())
          expect([texts[ring.firstSeq + index], undefined]).toContain(text)
      }),
      { numRuns: 20 },
    )
  }, 60_000)

  it('lose the oldest texts first, and keep their other members', () => {
    const ring = openRing()
    for (let at = 0; at < 10; at += 1) add(ring, textOf(at, 30 * KB, false), false)
    const texts = held(ring)
    expect(texts.map((text) => text?.slice(0, 2))).toEqual([
      ...Array.from({ length: 5 }, () => undefined),
      ...['5 ', '6 ', '7 ', '8 ', '9 '],
    ])
    expect(ring.get(0)).toMatchObject({ method: 'a', bytes: 30 * KB + 2 })
  })

  it('count only the bytes of stored texts', () => {
    const ring = openRing(undefined, { mostMessages: 3 })
    for (let at = 0; at < 8; at += 1) add(ring, textOf(at, 10, false), false)
    expect(held(ring)).toHaveLength(3)
    expect(ring.bytes).toBe(3 * 12)
  })

  it("don't keep a large chunk in memory for a small text", () => {
    const room = new SharedByteLimit(1024 * KB)
    const ring = openRing(room)
    const chunk = Buffer.alloc(64 * KB, 'x')
    ring.add(WAY, { jsonrpc: '2.0', method: 'a' }, chunk.subarray(0, 9 * KB))
    chunk.fill('y')
    expect(held(ring)[0]).toBe('x'.repeat(9 * KB))
  })

  it('share their memory limit with other servers, and the largest makes room', () => {
    const room = new SharedByteLimit(125 * KB)
    const [small, large] = [openRing(room), openRing(room)]
    add(small, textOf(0, 30 * KB, false), false)
    for (let at = 0; at < 20; at += 1) {
      add(large, textOf(at, 30 * KB, false), false)
      expect(small.bytes + large.bytes).toBeLessThanOrEqual(125 * KB)
    }
    expect(held(small)[0]).toBeDefined()
    expect(held(large).filter((text) => text !== undefined)).toHaveLength(3)
    large[Symbol.dispose]()
    for (let at = 0; at < 20; at += 1) add(small, textOf(at, 30 * KB, false), false)
    expect(held(small).filter((text) => text !== undefined)).toHaveLength(4)
  })

  it('are dropped on dispose', () => {
    const room = new SharedByteLimit(1024 * KB)
    const ring = openRing(room)
    add(ring, 'before', true)
    ring[Symbol.dispose]()
    add(ring, 'after', true)
    expect([ring.bytes, ring.firstSeq, ring.nextSeq]).toEqual([0, 1, 1])
  })
})
