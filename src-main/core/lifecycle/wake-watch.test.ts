import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { ManualClock } from '../../../e2e/fixtures/manual-clock'
import { WakeWatch } from './wake-watch'

let clock: ManualClock
let watch: WakeWatch
let wakes: number
beforeEach(() => {
  clock = new ManualClock()
  watch = new WakeWatch(clock)
  wakes = 0
  watch.onDidWake(() => (wakes += 1))
})
afterEach(() => watch[Symbol.dispose]())

describe('B11: a wake', () => {
  it('is not detected while time passes normally', () => {
    clock.pass(3_600_000)
    expect([wakes, watch.isRecent]).toEqual([0, false])
  })

  it.each([
    ['a sleep that the monotonic time does not count', () => clock.set(3_600_000)],
    ['a sleep that it counts', () => clock.sleep(3_600_000)],
    ['a clock that is set back', () => clock.set(-3_600_000)],
  ])('is %s: reported once, at the next poll, and recent for a while', (_what, sleep) => {
    clock.pass(12_000)
    sleep()
    clock.pass(5_000)
    expect([wakes, watch.isRecent]).toEqual([1, true])
    clock.pass(9_000)
    expect(watch.isRecent).toBe(true)
    clock.pass(7_000)
    expect([wakes, watch.isRecent]).toEqual([1, false])
  })

  it('is known to a caller before the next poll', () => {
    clock.pass(12_000)
    clock.set(60_000)
    expect([watch.isRecent, wakes]).toEqual([true, 1])
  })

  it.each([
    ['the clocks show none', () => undefined],
    ['the clocks show it already', () => clock.sleep(3_600_000)],
    ['the clocks would show it a little later', () => clock.set(3_600_000)],
  ])('is reported once if the system reports it and %s', (_when, sleep) => {
    clock.pass(12_000)
    sleep()
    watch.reportWake()
    expect([wakes, watch.isRecent]).toEqual([1, true])
    clock.pass(10_000)
    expect(wakes).toBe(1)
  })

  it('leaves no timer behind', () => {
    expect(clock.waiting).toBe(1)
    watch[Symbol.dispose]()
    clock.pass(60_000)
    expect(clock.waiting).toBe(0)
  })
})
