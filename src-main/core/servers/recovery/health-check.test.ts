import { setImmediate as nextTurn } from 'node:timers/promises'

import { beforeEach, describe, expect, it } from 'vitest'

import { ManualClock } from '../../../../e2e/fixtures/manual-clock'
import { Emitter } from '../../lifecycle/emitter'
import { HealthCheck } from './health-check'

const HEALTH_MS = 30_000
const LIMIT_MS = 10_000

let clock: ManualClock
let settings: { healthChecks: boolean; healthMs: number }
let wake: { isRecent: boolean; onDidWake: Emitter<undefined>['event'] }
let woke: Emitter<undefined>
let asked: { inFlight: number; lastMessageAt: number; ping: (limitMs: number) => Promise<boolean> }
let answers: boolean
let pings: number
let changes: (string | undefined)[]
let hangs: number
let health: HealthCheck

beforeEach(() => {
  clock = new ManualClock()
  settings = { healthChecks: true, healthMs: HEALTH_MS }
  woke = new Emitter()
  wake = { isRecent: false, onDidWake: woke.event }
  answers = true
  pings = 0
  changes = []
  hangs = 0
  asked = {
    inFlight: 0,
    lastMessageAt: 0,
    ping: (limitMs) => {
      pings += 1
      if (answers) asked.lastMessageAt = clock.monotonic()
      return answers
        ? Promise.resolve(true)
        : new Promise((resolve) => void clock.after(limitMs, () => resolve(false)))
    },
  }
  health = new HealthCheck(asked, {
    settings: () => settings,
    time: clock,
    wake,
    onDidChange: () => changes.push(health.warning),
    onHang: () => (hangs += 1),
  })
})

/** Advances the clock in steps, so that promises can settle in between. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 1_000) {
    clock.pass(Math.min(left, 1_000))
    await nextTurn()
  }
}

describe('B11: health checks', () => {
  it('ping a silent session again and again', async () => {
    await pass(HEALTH_MS - 1_000)
    expect(pings).toBe(0)
    await pass(2_000)
    expect(pings).toBe(1)
    await pass(10 * HEALTH_MS)
    expect(pings).toBe(11)
    expect(changes).toEqual([])
  })

  it('ping an idle session right after a wake, but not a busy or disabled one', async () => {
    await pass(1_000)
    woke.emit(undefined)
    await nextTurn()
    expect(pings).toBe(1)
    asked.inFlight = 1
    woke.emit(undefined)
    asked.inFlight = 0
    settings = { ...settings, healthChecks: false }
    woke.emit(undefined)
    health[Symbol.dispose]()
    settings = { ...settings, healthChecks: true }
    woke.emit(undefined)
    await nextTurn()
    expect(pings).toBe(1)
  })

  it("don't ping a session that sends messages or has a request in flight", async () => {
    for (let round = 0; round < 100; round += 1) {
      asked.lastMessageAt = clock.monotonic()
      await pass(HEALTH_MS / 2)
    }
    expect(pings).toBe(0)
    asked.inFlight = 1
    await pass(20 * HEALTH_MS)
    expect(pings).toBe(0)
    asked.inFlight = 0
    await pass(2 * HEALTH_MS)
    expect(pings).toBeGreaterThan(0)
  })

  it('warn after one miss, report a hang after three, and clear both at the next message', async () => {
    answers = false
    await pass(HEALTH_MS + LIMIT_MS + 2_000)
    expect(changes).toEqual(['No response to the last health check.'])
    expect([hangs, health.isHanging]).toEqual([0, false])
    await pass(2 * HEALTH_MS)
    expect(changes.at(-1)).toBe('No response to the last 3 health checks.')
    expect([pings, hangs, health.isHanging]).toEqual([3, 1, true])
    answers = true
    await pass(HEALTH_MS)
    expect(changes.at(-1)).toBeUndefined()
    expect([changes.length, health.isHanging]).toEqual([4, false])
  })

  it('forget a miss soon after any message, so that single misses never add up', async () => {
    answers = false
    for (let round = 0; round < 5; round += 1) {
      await pass(HEALTH_MS + LIMIT_MS + 2_000)
      expect(health.warning).toBe('No response to the last health check.')
      asked.lastMessageAt = clock.monotonic()
      await pass(2_000)
      expect(health.warning).toBeUndefined()
      for (let said = 0; said < 5; said += 1) {
        await pass(HEALTH_MS / 2)
        asked.lastMessageAt = clock.monotonic()
      }
    }
    expect([pings, hangs]).toEqual([5, 0])
  })

  it('count any message during a ping as a sign of life', async () => {
    answers = false
    await pass(HEALTH_MS + 2_000)
    expect(pings).toBe(1)
    asked.lastMessageAt = clock.monotonic()
    await pass(LIMIT_MS)
    expect(changes).toEqual([])
  })

  it.each([
    ['after a wake', () => (wake.isRecent = true)],
    ['when a request came meanwhile', () => (asked.inFlight = 1)],
    ['when it was switched off meanwhile', () => (settings.healthChecks = false)],
  ])('count no miss %s', async (_what, happen) => {
    answers = false
    await pass(HEALTH_MS + 2_000)
    expect(pings).toBe(1)
    happen()
    await pass(LIMIT_MS)
    expect(changes).toEqual([])
  })

  it('apply changed settings immediately', async () => {
    settings.healthMs = 2_000
    health.settingsChanged()
    await pass(3_000)
    expect(pings).toBe(1)
    answers = false
    await pass(LIMIT_MS + 5_000)
    expect(health.warning).toBeDefined()
    settings.healthChecks = false
    health.settingsChanged()
    expect(health.warning).toBeUndefined()
    const before = pings
    await pass(10 * HEALTH_MS)
    expect(pings).toBe(before)
    settings.healthChecks = true
    health.settingsChanged()
    await pass(3_000)
    expect(pings).toBe(before + 1)
  })

  it('wait 10 s for an answer however short the interval is, and ping next after that', async () => {
    settings.healthMs = 500
    health.settingsChanged()
    answers = false
    await pass(9_000)
    expect([pings, health.warning]).toEqual([1, undefined])
    await pass(3_000)
    expect([pings, health.warning]).toEqual([2, 'No response to the last health check.'])
  })

  it('end with the session and leave no timer', async () => {
    asked.ping = () => Promise.reject(new Error('Not connected'))
    await pass(HEALTH_MS + 2_000)
    expect([changes, clock.waiting]).toEqual([[], 0])
    health[Symbol.dispose]()
    health.settingsChanged()
    expect(clock.waiting).toBe(0)
  })
})
