import { describe, expect, it } from 'vitest'

import { median, medianRatio } from './median'
import { toJson, toTable } from './report'
import { interleave, within } from './rounds'
import { type Bar, toRow } from './row'

const BAR: Bar = { metric: 'tea-vs-coffee', unit: 'x', op: '<=', bar: 1.5 }

describe('bench arithmetic', () => {
  it('takes the middle value, whatever the order and outliers', () => {
    expect(median([9, 1, 5])).toBe(5)
    expect(median([10, 2, 4, 1_000])).toBe(7)
    expect(() => median([])).toThrow()
  })

  it('compares round by round, so that a slow moment of the machine affects both sides', () => {
    // The ratio of the medians alone would be 2.
    expect(medianRatio([10, 20, 90], [10, 10, 90])).toBe(1)
    expect(() => medianRatio([1, 2], [1])).toThrow()
  })

  it('compares a value with its bar before rounding', () => {
    expect(toRow(BAR, 1.5)).toEqual({ ...BAR, value: 1.5, ok: true })
    expect(toRow(BAR, 1.50001)).toEqual({ ...BAR, value: 1.5, ok: false })
    expect(toRow({ ...BAR, op: '>=' }, 1.6).ok).toBe(true)
  })

  it('rejects NaN, which JSON would turn into null', () => {
    expect(() => toRow(BAR, Number.NaN)).toThrow('tea-vs-coffee')
  })
})

describe('bench rounds', () => {
  it('begin with each side in turn, and drop the first', async () => {
    const order: string[] = []
    const side = (name: string) => () => Promise.resolve(order.push(name))
    const sides = { ours: side('ours'), theirs: side('theirs') }
    const values = await interleave(sides, { rounds: 2, limitMs: 1_000 })
    expect(order.join(' ')).toBe('ours theirs theirs ours ours theirs')
    expect(values).toEqual({ ours: [4, 5], theirs: [3, 6] })
  })

  it('end with a reason if a side never does', async () => {
    const never = new Promise<never>(() => undefined)
    await expect(within(10, 'a round of tea', never)).rejects.toThrow('a round of tea')
  })
})

describe('a bench report', () => {
  const row = toRow(BAR, 1.25)
  const measurement = {
    row,
    rounds: { ours: [5, 6, 4], theirs: [4, 4, 4] },
    roundUnit: 'ms',
  } as const

  it('is one object for programs: the name and the rows', () => {
    expect(JSON.parse(toJson('drinks', [measurement]))).toEqual({ name: 'drinks', rows: [row] })
    expect(Object.keys(row).join(' ')).toBe('metric value unit op bar ok')
  })

  it('shows the bar, the medians and every round to people', () => {
    const table = toTable('drinks', [measurement, { ...measurement, row: toRow(BAR, 2) }])
    expect(table).toMatch(/ok +tea-vs-coffee +1\.25 x +\(bar <= 1\.5\)/u)
    expect(table).toMatch(/MISS +tea-vs-coffee/u)
    expect(table).toMatch(/ours +median 5\.00 ms +rounds 5\.00 {2}6\.00 {2}4\.00/u)
  })
})
