import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { FrameOffset, openingBounds, readWindowPlace, writeWindowPlace } from './window-place'

const USUAL = { width: 1280, height: 820 }
const LAPTOP = { x: 0, y: 25, width: 1440, height: 875 }
const BESIDE = { x: 1440, y: 0, width: 2560, height: 1440 }

describe('D8: the window opens', () => {
  it('in the middle of the first screen, the first time', () => {
    expect(openingBounds(undefined, USUAL, [LAPTOP])).toEqual(USUAL)
  })

  it('where it was, even on another screen or partly beyond its edge', () => {
    for (const kept of [
      { x: 200, y: 100, width: 1000, height: 700 },
      { x: 1600, y: 200, width: 2000, height: 1000 },
      { x: -700, y: 300, width: 900, height: 700 },
    ]) {
      expect(openingBounds(kept, USUAL, [LAPTOP, BESIDE])).toEqual(kept)
    }
  })

  it('in the middle of the first screen if its own is gone, and no larger', () => {
    const kept = { x: 1600, y: 200, width: 2000, height: 1000 }
    expect(openingBounds(kept, USUAL, [LAPTOP])).toEqual({ width: 1440, height: 875 })
  })

  it('in the middle if no title bar could be reached', () => {
    const above = { x: 100, y: -40, width: 1000, height: 700 }
    const left = { x: -1195, y: 100, width: 1200, height: 700 }
    const below = { x: 100, y: 890, width: 1000, height: 700 }
    for (const { width, height, ...at } of [above, left, below])
      expect(openingBounds({ ...at, width, height }, USUAL, [LAPTOP])).toEqual({ width, height })
  })

  it('in the middle with its size if its position is unknown', () => {
    const size = { width: 1000, height: 700 }
    expect(openingBounds(size, USUAL, [LAPTOP])).toEqual(size)
  })

  it('always where it can be moved', () => {
    const rectangle = fc.record({
      x: fc.integer({ min: -5_000, max: 5_000 }),
      y: fc.integer({ min: -5_000, max: 5_000 }),
      width: fc.integer({ min: 900, max: 4_000 }),
      height: fc.integer({ min: 600, max: 3_000 }),
    })
    fc.assert(
      fc.property(rectangle, fc.array(rectangle, { minLength: 1, maxLength: 3 }), (kept, areas) => {
        const { x, y, width } = openingBounds(kept, USUAL, areas)
        if (x === undefined || y === undefined) return
        const isReachable = areas.some(
          (area) =>
            Math.min(x + width, area.x + area.width) - Math.max(x, area.x) >= 120 &&
            y >= area.y - 8 &&
            y + 24 <= area.y + area.height,
        )
        expect(isReachable).toBe(true)
      }),
    )
  })
})

describe("D8: the window's frame on X11", () => {
  const OPENED = { x: 120, y: 80, width: 1000, height: 700 }
  const FRAME = { x: 1, y: 20 }
  const framed = (at: typeof OPENED) => ({ ...at, x: at.x + FRAME.x, y: at.y + FRAME.y })

  it('moves no window that stays, wherever it was placed at first', () => {
    const offset = new FrameOffset(OPENED)
    expect(offset.withoutOffset(OPENED)).toEqual(OPENED)
    expect(offset.withoutOffset(framed(OPENED))).toEqual(OPENED)
    expect(offset.withoutOffset(framed(OPENED))).toEqual(OPENED)
  })

  it('is subtracted if the user moves the window, near or far', () => {
    const offset = new FrameOffset(OPENED)
    offset.withoutOffset(framed(OPENED))
    offset.fix()
    for (const moved of [
      { ...OPENED, x: 125, y: 90 },
      { ...OPENED, x: 900, y: 10 },
    ])
      expect(offset.withoutOffset(framed(moved))).toEqual(moved)
  })

  it('is ignored if the system has none or places the window elsewhere', () => {
    const none = new FrameOffset(OPENED)
    none.withoutOffset(OPENED)
    none.fix()
    const near = { ...OPENED, x: 130, y: 100 }
    expect(none.withoutOffset(near)).toEqual(near)
    for (const elsewhere of [
      { ...OPENED, x: 0, y: 0 },
      { ...OPENED, x: 400, y: 300 },
    ])
      expect(new FrameOffset(OPENED).withoutOffset(elsewhere)).toEqual(elsewhere)
  })
})

describe('D8: the stored place', () => {
  it('is restored, and ignored if damaged', () => {
    const profileDir = mkdtempSync(join(tmpdir(), 'patchbay-place-'))
    try {
      expect(readWindowPlace(profileDir)).toBeUndefined()
      const place = {
        bounds: { x: -20, y: 40, width: 1000, height: 700 },
        state: 'maximized',
      } as const
      writeWindowPlace(profileDir, place)
      expect(readWindowPlace(profileDir)).toMatchObject(place)
      for (const text of [
        '{',
        '[]',
        '{"version":2}',
        JSON.stringify({ version: 1, ...place, bounds: { x: 1e9 } }),
      ]) {
        writeFileSync(join(profileDir, 'window.json'), text)
        expect(readWindowPlace(profileDir), text).toBeUndefined()
      }
    } finally {
      rmSync(profileDir, { recursive: true })
    }
  })
})
