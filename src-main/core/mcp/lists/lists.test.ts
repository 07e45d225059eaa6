import { describe, expect, it } from 'vitest'

import { isTooDeep } from '../json/json-rpc'
import { writtenResult } from '../json/result-text'
import { LISTS, readList } from './lists'

/** Unknown members are kept. */
const A = { name: 'a', inputSchema: {}, annotations: { 'x/cost': 3 }, 'x-mine': [{ b: null }] }
const B = { name: 'b', inputSchema: {} }
const many = (length: number, more: object = {}): object[] =>
  Array.from({ length }, (_, n) => ({ name: `t${n}`, inputSchema: {}, ...more }))

/** Reads a list whose pages are these, by number. */
async function read(page: (number: number) => object, isStateless = false) {
  let pages = 0
  const request = () => Promise.resolve(writtenResult(page((pages += 1))))
  const peer = { request, isStateless }
  const [tools] = LISTS
  if (!tools) throw new Error('no list')
  const counted = <T>(_method: string, send: () => Promise<T>): Promise<T> => send()
  const list = await readList({ peer, deadline: Infinity, counted }, tools)
  return { ...list, pages }
}

const MB = 'n'.repeat(1_000_000)
const LONG = 'c'.repeat(70_000)
const ending = (nextCursor: unknown) => (): object => ({ tools: [A], nextCursor })

describe('C1: a malicious list', () => {
  it.each<[string, (n: number) => object, pages: number, kept: number, notice?: string]>([
    [
      'more than 10,000 elements',
      () => ({ tools: many(10_001) }),
      1,
      10_000,
      'than 10000 elements',
    ],
    ['more than 10 MB', () => ({ tools: many(11, { notes: MB }) }), 1, 10, 'from number 11 on'],
    ['endless pages', (n) => ({ nextCursor: `${n}` }), 100, 0, 'more than 100 pages'],
    ['a cursor of more than 64 KB', ending(LONG), 1, 1, 'larger than 64 KB'],
    ['a number as cursor', ending(7), 1, 1, 'cursor is not a string'],
    ['false as cursor', ending(false), 1, 1, 'cursor is not a string'],
    ['an object as cursor', ending({ toString: 0 }), 1, 1, 'cursor is not a string'],
    ['null as cursor', ending(null), 1, 1],
    ['the same cursor and page again', ending('x'), 2, 1, 'the server repeated a cursor'],
  ])(
    'ends, keeps its elements and reports the reason with %s',
    async (_what, page, pages, kept, notice) => {
      const list = await read(page)
      const { tools = [] } = page(1) as { tools?: object[] }
      expect(list).toMatchObject({ elements: tools.slice(0, kept), pages })
      expect(list.notices).toEqual(notice === undefined ? [] : [expect.stringContaining(notice)])
    },
  )

  it('yields only a few notices, however much of it is invalid', async () => {
    const own = { name: '__proto__', inputSchema: {} }
    const tools = [own, ...Array<object>(9_000).fill({})]
    const { elements, notices } = await read(() => ({ tools }))
    expect(elements).toEqual([own])
    const last = 'Tools: 8997 more elements were ignored for the same reason.'
    expect([notices.length, notices[3]]).toEqual([4, last])
  })

  it('is nested too deeply above the limit, even with 100,000 levels of arrays or objects', () => {
    let [lists, objects]: unknown[] = ['end', 'end']
    for (let depth = 0; depth < 100_000; depth += 1)
      [lists, objects] = [[lists], { items: objects }]
    expect([isTooDeep(lists), isTooDeep(objects)]).toEqual([true, true])
    expect([isTooDeep([[['leaf']]], 3), isTooDeep([[['leaf']]], 2)]).toEqual([false, true])
  })
})

describe('C1: an empty cursor', () => {
  it.each([
    ['ends a list with sessions', false, [A]],
    ['is followed in a stateless list', true, [A, B]],
  ])('%s', async (_what, isStateless, elements) => {
    const page = (n: number): object => (n === 1 ? { tools: [A], nextCursor: '' } : { tools: [B] })
    expect((await read(page, isStateless)).elements).toEqual(elements)
  })
})
