import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { measureJson } from './measure-json'

const MANY = 1_000_000_000

describe('C1 what a value of parsed JSON takes', () => {
  it('is as long as its text', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (made) => {
        const text = JSON.stringify(made)
        const measured = measureJson(JSON.parse(text), MANY)
        expect(measured).toEqual({ bytes: Buffer.byteLength(text), isTooDeep: false })
      }),
    )
  })

  it('counts what is said to be undefined as not there', () => {
    const value = { name: 'a', title: undefined }
    expect(measureJson(value, MANY).bytes).toBe(JSON.stringify(value).length)
  })

  it('is not counted further than the limit', () => {
    const value = ['x'.repeat(50), 'y'.repeat(MANY / 10)]
    expect(measureJson(value, 10).bytes).toBeLessThan(100)
  })

  it('is too deep where it is nested a hundred thousand times, whatever it is nested in', () => {
    let lists: unknown = 'end'
    let objects: unknown = 'end'
    for (let depth = 0; depth < 100_000; depth += 1) {
      lists = [lists]
      objects = { items: objects }
    }
    expect(measureJson(lists, MANY).isTooDeep).toBe(true)
    expect(measureJson(objects, MANY).isTooDeep).toBe(true)
  })

  it('may be as deep as the limit and no deeper', () => {
    expect(measureJson([[['leaf']]], MANY, 3).isTooDeep).toBe(false)
    expect(measureJson([[['leaf']]], MANY, 2).isTooDeep).toBe(true)
  })
})
