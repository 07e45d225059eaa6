import { describe, expect, it } from 'vitest'

import { pause } from '../../../e2e/fixtures/pause'
import { JsonBrowser } from './json-browser'
import { JsonCalls } from './reading/json-calls'
import type { JsonRemote } from './reading/json-thread'

/** The thread's own answers, each of them a while later. */
function remoteOf(calls: JsonCalls): JsonRemote {
  const later =
    (name: keyof JsonCalls) =>
    async (...args: readonly unknown[]) => {
      const ask = calls[name].bind(calls) as (...all: readonly unknown[]) => unknown
      const answer = ask(...args)
      await pause(1)
      return answer
    }
  return new Proxy({} as JsonRemote, {
    get: (_, name) => (name === 'then' ? undefined : later(name as keyof JsonCalls)),
  })
}

async function browse(value: unknown, pointer = ''): Promise<JsonBrowser> {
  const calls = new JsonCalls()
  calls.add('text', JSON.stringify(value))
  calls.finish('text')
  const browser = await JsonBrowser.open(remoteOf(calls), 'text', pointer, () => undefined)
  if (!browser) throw new Error('There is nothing.')
  return browser
}

const rowOf = (browser: JsonBrowser): number => browser.store.getState().row

describe('D5 browsing a tree of JSON', () => {
  it('does what keys say in their order, however late the answers come', async () => {
    const browser = await browse({ a: [1, 2, 3], b: 4 })
    // Closes the whole, opens it again, goes to `a`, closes it, goes to `b`.
    const keys = ['out', 'in', 'in', 'out'] as const
    void Promise.all(keys.map((kind) => browser.press({ kind })))
    await browser.press({ kind: 'by', rows: 1 })
    const { row, count } = browser.store.getState()
    expect([row, count]).toEqual([2, 3])
    expect((await browser.rows(row, row + 1))[0]?.key).toBe('b')
  })

  it('goes out of a value to what it lies in, and to both ends', async () => {
    const browser = await browse({ a: [1, 2, 3], b: 4 })
    await browser.press({ kind: 'by', rows: 3 })
    await browser.press({ kind: 'out' })
    expect(rowOf(browser)).toBe(1)
    await browser.press({ kind: 'last' })
    expect(rowOf(browser)).toBe(5)
    await browser.press({ kind: 'by', rows: 99 })
    expect(rowOf(browser)).toBe(5)
    await browser.press({ kind: 'to', row: 0 })
    await browser.press({ kind: 'out' })
    await browser.press({ kind: 'out' })
    expect([rowOf(browser), browser.store.getState().count]).toEqual([0, 1])
  })

  it('looks for the newest text alone, and goes round what it found', async () => {
    const values = Array.from({ length: 300 }, (_, index) => ({ id: `item ${index}` }))
    const browser = await browse(values)
    void browser.find('item 1')
    void browser.find('item 12')
    await browser.find('item 123')
    expect(browser.store.getState().found).toEqual({
      text: 'item 123',
      count: 1,
      isWhole: true,
      at: 0,
    })
    const { row } = browser.store.getState()
    expect((await browser.rows(row, row + 1))[0]?.text).toBe('"item 123"')
    await browser.find('item 29')
    expect(browser.store.getState().found?.count).toBe(11)
    await browser.step(-1)
    expect(browser.store.getState().found?.at).toBe(10)
    await browser.step(1)
    expect(browser.store.getState().found?.at).toBe(0)
    await browser.find('')
    expect(browser.store.getState().found).toBeUndefined()
  })

  it('gives the value of a row and where it is in the whole text', async () => {
    const browser = await browse({ a: { 'b/c': ['x\ny'] } }, '/a')
    await browser.press({ kind: 'last' })
    expect(await browser.value(100)).toEqual({ text: 'x\ny', pointer: '/a/b~1c/0' })
    expect((await browser.value(1))?.text).toBe('x')
  })

  it('tells what could not be done, goes on after it, and tells nothing once it is closed', async () => {
    const calls = new JsonCalls()
    const failures: unknown[] = []
    calls.add('text', '{"a":1}')
    calls.finish('text')
    const browser = await JsonBrowser.open(remoteOf(calls), 'text', '', (thrown) =>
      failures.push(thrown),
    )
    if (!browser) throw new Error('There is nothing.')
    calls.closeView(browser.view)
    await browser.press({ kind: 'out' })
    expect(failures.map(String)).toEqual(['Error: This tree is no longer available.'])
    await browser.press({ kind: 'by', rows: 1 })
    expect(rowOf(browser)).toBe(1)
    const late = browser.toggle(0)
    browser.close()
    await late
    expect(failures).toHaveLength(1)
  })

  it('says that there is nothing where a pointer leads nowhere', async () => {
    await expect(browse({ a: 1 }, '/b')).rejects.toThrow('There is nothing.')
  })
})

describe('D5 texts on the thread', () => {
  it('are joined from their parts, and dropped', () => {
    const calls = new JsonCalls()
    for (const part of ['{"a"', ':', '"\ud83d', '\ude00"}']) calls.add('key', part)
    expect(calls.finish('key')).toEqual({ kind: 'json', length: 10, nodes: 2 })
    expect(calls.openView(1, 'key', '')).toEqual({ count: 2, isCut: false })
    expect(calls.rows(1, 1, 2)[0]?.text).toBe('"\u{1f600}"')
    calls.closeView(1)
    expect(() => calls.rows(1, 0, 1)).toThrow('no longer available')
    calls.drop('key')
    expect(() => calls.openView(2, 'key', '')).toThrow('no longer available')
  })

  it('are shown as text where they are no JSON', () => {
    const calls = new JsonCalls()
    calls.add('key', 'plain {text')
    expect(calls.finish('key')).toEqual({ kind: 'text', length: 11, why: 'noJson' })
    expect(calls.textOf('key', '', 5)).toBe('plain')
    expect(calls.openView(1, 'key', '')).toBeUndefined()
  })

  it('give what a string says in parts, and as a file', async () => {
    const calls = new JsonCalls()
    calls.add('key', JSON.stringify({ text: 'a\nb' }))
    calls.finish('key')
    expect(calls.stringPart('key', 1, 0, 2)).toEqual({ text: 'a\n', length: 3 })
    expect(calls.stringPart('key', 1, 2, 2)).toEqual({ text: 'b', length: 3 })
    expect(await calls.blobOf('key', '').text()).toBe('{"text":"a\\nb"}')
    expect(await calls.blobOf('key', '/text').text()).toBe('"a\\nb"')
  })
})
