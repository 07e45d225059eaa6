import { describe, expect, it } from 'vitest'

import { HandClock } from '../../../../e2e/fixtures/hand-clock'
import { testCall } from '../../../../e2e/fixtures/test-calls'
import type { NewCall } from './audit-call'
import { CallQueue } from './call-audit'

/** A queue over a disk that a test stops, holds up and lets go on. */
function openQueue() {
  const time = new HandClock()
  const written: string[][] = []
  const troubles: (string | undefined)[] = []
  const disk: { error?: Error; gate: Promise<void> } = { gate: Promise.resolve() }
  const write = async (calls: readonly NewCall[]): Promise<void> => {
    await disk.gate
    if (disk.error) throw disk.error
    written.push(calls.map(({ target }) => target))
  }
  const queue = new CallQueue({ write, time, onTrouble: (message) => troubles.push(message) })
  const add = (...names: string[]): void =>
    names.forEach((target) => queue.add(testCall({ target })))
  return { queue, add, time, written, troubles, disk }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('D6 calls on their way to the disk', () => {
  it('are written together, a moment after the first', async () => {
    const { add, time, written } = openQueue()
    add('a', 'b')
    time.pass(249)
    await settled()
    expect(written).toEqual([])
    add('c')
    time.pass(1)
    await settled()
    expect(written).toEqual([['a', 'b', 'c']])
    expect(time.waiting).toBe(0)
  })

  it('wait for nobody when they are many', async () => {
    const { add, time, written } = openQueue()
    for (let index = 0; index < 1_200; index += 1) add(`t${index}`)
    await settled()
    expect(written.flat()).toHaveLength(1_000)
    time.pass(250)
    await settled()
    expect(Math.max(...written.map(({ length }) => length))).toBe(500)
    expect(written.flat().slice(-1)).toEqual(['t1199'])
  })

  it('are tried again when the disk refuses them, in their order, and that is told once', async () => {
    const { add, time, written, troubles, disk } = openQueue()
    disk.error = new Error('database or disk is full')
    add('a')
    time.pass(250)
    await settled()
    add('b')
    time.pass(10_000)
    await settled()
    expect(troubles).toEqual(['Calls can’t be written to disk (database or disk is full).'])
    delete disk.error
    time.pass(9_999)
    await settled()
    expect(written).toEqual([])
    time.pass(1)
    await settled()
    expect(written).toEqual([['a', 'b']])
    expect(troubles.slice(1)).toEqual([undefined])
  })

  it('are left out when more wait than the memory is worth, by number and by size', async () => {
    const { queue, add, written, troubles, disk } = openQueue()
    const gate = Promise.withResolvers<undefined>()
    disk.gate = gate.promise
    for (let index = 0; index < 25_000; index += 1) add('small')
    expect(troubles).toEqual([
      'Calls arrive faster than the disk can record them. Some are missing from the history.',
    ])
    gate.resolve(undefined)
    await queue.flush()
    expect(written.flat()).toHaveLength(20_000)
    expect(troubles.slice(1)).toEqual([undefined])
    for (let index = 0; index < 1_000; index += 1)
      queue.add(testCall({ arguments: 'x'.repeat(65_536) }))
    await queue.flush()
    expect(written.flat().length).toBeLessThan(20_140)
  })

  it('that were forgotten do not come back, also when they are half written', async () => {
    const { queue, add, time, written, disk } = openQueue()
    const gate = Promise.withResolvers<undefined>()
    disk.gate = gate.promise
    add('under way')
    time.pass(250)
    add('waits')
    const cleared = queue.clear()
    add('after')
    gate.resolve(undefined)
    await cleared
    await queue.flush()
    expect(written).toEqual([['under way'], ['after']])
  })

  it('that were forgotten in the middle of many are not looked for any longer', async () => {
    const { queue, add, written, disk } = openQueue()
    disk.error = new Error('database or disk is full')
    for (let index = 0; index < 700; index += 1) add('a')
    await settled()
    delete disk.error
    const gate = Promise.withResolvers<undefined>()
    disk.gate = gate.promise
    const flushed = queue.flush()
    await settled()
    const cleared = queue.clear()
    gate.resolve(undefined)
    await Promise.all([flushed, cleared])
    expect(written).toHaveLength(1)
  })
})
