import { describe, expect, it } from 'vitest'

import { isTooDeep } from '../json/measure-json'
import { writtenResult } from '../json/result-text'
import { LISTS, readList } from './lists'

/** What is not known stays. */
const A = { name: 'a', inputSchema: {}, annotations: { 'x/cost': 3 }, 'x-mine': [{ b: null }] }
const B = { name: 'b', inputSchema: {} }
const many = (length: number, more: object = {}): object[] =>
  Array.from({ length }, (_, n) => ({ name: `t${n}`, inputSchema: {}, ...more }))

/** What is read of a server whose pages of tools these are, by their number. */
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

const NO_TEXT = 'the next cursor is not a string, so the list stops there'
const LONG_CURSOR = (n: number): object => ({ nextCursor: `${n}${'c'.repeat(70_000)}` })
const MB = 'n'.repeat(1_000_000)

describe('C1 a list that is meant to do harm', () => {
  it.each<[string, tools: object[], (n: number) => object, pages: number, string | undefined]>([
    [
      'has more than 10,000 elements',
      many(10_001),
      () => ({}),
      1,
      'the list has more than 10000 elements, and the rest is ignored',
    ],
    [
      'has more than 10 MB',
      many(11, { notes: MB }),
      () => ({}),
      1,
      'the list is larger than 10 MB, and elements from number 11 on are ignored',
    ],
    [
      'has pages without an end',
      [],
      (n) => ({ nextCursor: `${n}` }),
      100,
      'the list has more than 100 pages, and the rest is ignored',
    ],
    [
      'has a cursor of more than 64 KB',
      [A],
      LONG_CURSOR,
      1,
      'the next cursor is larger than 64 KB, so the list stops there',
    ],
    ['has a number for a cursor', [A], () => ({ nextCursor: 7 }), 1, NO_TEXT],
    ['has false for a cursor', [A], () => ({ nextCursor: false }), 1, NO_TEXT],
    ['has an object for a cursor', [A], () => ({ nextCursor: { toString: 0 } }), 1, NO_TEXT],
    ['has null for a cursor', [A], () => ({ nextCursor: null }), 1, undefined],
    [
      'repeats its cursor and its page',
      [A],
      () => ({ nextCursor: 'x' }),
      2,
      'the server repeated a cursor, so the list stops there',
    ],
  ])('ends, keeps what came and says so where it %s', async (_what, tools, more, pages, notice) => {
    const list = await read((n) => ({ tools, ...more(n) }))
    const kept = /10000 e|10 MB/u.test(notice ?? '') ? tools.slice(0, -1) : tools
    expect(list).toMatchObject({ elements: kept, pages })
    expect(list.notices).toEqual(notice === undefined ? [] : [`Tools: ${notice}.`])
  })

  it('costs a few notices, however much of it is broken', async () => {
    const own = { name: '__proto__', inputSchema: {} }
    const { elements, notices } = await read(() => ({
      tools: [own, ...Array<object>(9_000).fill({})],
    }))
    expect(elements).toEqual([own])
    expect([notices.length, notices[3]]).toEqual([
      4,
      'Tools: 8997 more elements were ignored for the same reason.',
    ])
  })

  it('is too deep above the limit, also a hundred thousand levels deep, of arrays and of objects', () => {
    let [lists, objects]: unknown[] = ['end', 'end']
    for (let depth = 0; depth < 100_000; depth += 1)
      [lists, objects] = [[lists], { items: objects }]
    expect([isTooDeep(lists), isTooDeep(objects)]).toEqual([true, true])
    expect([isTooDeep([[['leaf']]], 3), isTooDeep([[['leaf']]], 2)]).toEqual([false, true])
  })
})

describe('C1 an empty cursor', () => {
  it.each([
    ['ends a list with sessions', false, [A]],
    ['is followed in a stateless list', true, [A, B]],
  ])('%s', async (_what, isStateless, elements) => {
    const page = (n: number): object => (n === 1 ? { tools: [A], nextCursor: '' } : { tools: [B] })
    expect((await read(page, isStateless)).elements).toEqual(elements)
  })
})
