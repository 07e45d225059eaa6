import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { interfacesWith } from '../../../e2e/fixtures/interfaces-with'
import { ManualClock } from '../../../e2e/fixtures/manual-clock'
import { type NetworkChange, NetworkWatch } from './network-watch'
import { WakeWatch } from './wake-watch'

let clock: ManualClock
let wake: WakeWatch
let watch: NetworkWatch
let addresses: readonly string[]
let reads: number
let changes: NetworkChange[]
beforeEach(() => {
  clock = new ManualClock()
  wake = new WakeWatch(clock)
  addresses = ['192.168.1.7']
  reads = 0
  changes = []
  watch = new NetworkWatch(clock, wake, () => {
    reads += 1
    return interfacesWith(addresses)
  })
})
afterEach(() => {
  watch[Symbol.dispose]()
  wake[Symbol.dispose]()
})

const listen = (): Disposable => watch.onDidChange((change) => changes.push(change))

describe('B11: the network of this computer', () => {
  it('is watched only while there is a listener, by one timer for all', () => {
    clock.pass(60_000)
    expect([reads, clock.waiting]).toEqual([0, 1])
    const waiting = [listen(), listen()]
    expect(clock.waiting).toBe(2)
    waiting[0]?.[Symbol.dispose]()
    clock.pass(3_000)
    expect([reads, clock.waiting]).toEqual([2, 2])
    waiting[1]?.[Symbol.dispose]()
    clock.pass(60_000)
    expect([reads, clock.waiting]).toEqual([2, 1])
  })

  it('is gone with the last usable address and back with the first, each reported once', () => {
    listen()
    clock.pass(30_000)
    expect(changes).toEqual([])
    addresses = ['fe80::1', '169.254.3.4']
    clock.pass(30_000)
    expect([changes, watch.isOffline]).toEqual([['gone'], true])
    addresses = ['fe80::1', '2001:db8::7']
    clock.pass(30_000)
    expect([changes, watch.isOffline]).toEqual([['gone', 'back'], false])
  })

  it('is back if another address replaces the first, but not if one of two disappears', () => {
    listen()
    addresses = ['192.168.1.7', '10.8.0.2']
    clock.pass(3_000)
    expect(changes).toEqual(['back'])
    addresses = ['192.168.1.7']
    clock.pass(3_000)
    expect(changes).toEqual(['back'])
    addresses = ['172.20.10.2']
    clock.pass(3_000)
    expect(changes).toEqual(['back', 'back'])
  })

  it('is back after a wake, unless there is none', () => {
    listen()
    clock.set(3_600_000)
    clock.pass(5_000)
    expect(changes).toEqual(['back'])
    addresses = []
    clock.pass(3_000)
    clock.set(3_600_000)
    clock.pass(5_000)
    expect(changes).toEqual(['back', 'gone'])
  })

  it("counts as present if the system doesn't list its interfaces", () => {
    const untold = new NetworkWatch(clock, wake, () => {
      throw new Error('EACCES')
    })
    untold.onDidChange((change) => changes.push(change))
    clock.pass(30_000)
    expect([untold.isOffline, changes]).toEqual([false, []])
    untold[Symbol.dispose]()
  })

  it('leaves no timer behind', () => {
    listen()
    watch[Symbol.dispose]()
    clock.pass(60_000)
    expect(clock.waiting).toBe(1)
  })
})
