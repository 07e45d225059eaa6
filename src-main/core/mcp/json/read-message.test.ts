import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { cpuMsOf } from '../../../../e2e/fixtures/cpu-time'
import { readMessages } from './read-message'

const read = (text: string): unknown => readMessages(Buffer.from(text))?.messages

describe('B4 the messages of a line', () => {
  it('are read with decoration and as a batch', () => {
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    expect(read(`\u{FEFF}\u001B[0m${JSON.stringify(ping)}`)).toEqual([ping])
    expect(read(JSON.stringify([ping, ping]))).toEqual([ping, ping])
    expect(read('[]')).toBeUndefined()
    expect(read('Server started {ok}')).toBeUndefined()
  })

  it('are those of a batch that are messages; the others are counted, and one without any is none', () => {
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    const batch = (elements: unknown): unknown => {
      const line = readMessages(Buffer.from(JSON.stringify(elements)))
      return line && [line.messages, line.isBatch, line.malformed]
    }
    expect(batch([ping, null, 5, [ping], { jsonrpc: '1.0' }, ping])).toEqual([
      [ping, ping],
      true,
      4,
    ])
    expect(batch([ping])).toEqual([[ping], true, 0])
    expect(batch(ping)).toEqual([[ping], false, 0])
    expect(batch([null, {}])).toBeUndefined()
  })

  it('say whether something had to be stripped', () => {
    const line = '{"jsonrpc":"2.0","method":"x"}'
    expect(readMessages(Buffer.from(line))?.decorated).toBe(false)
    expect(readMessages(Buffer.from(`\u{FEFF}${line}`))?.decorated).toBe(true)
  })

  it('are found whatever brackets, quotes and backslashes their texts hold', () => {
    const text = fc.array(
      fc.constantFrom('[', ']', '{', '}', '"', '\\', 'a', '\n', '日', 'x'.repeat(50)),
      { maxLength: 60 },
    )
    fc.assert(
      fc.property(text, text, (a, b) => {
        const result = { [a.join('')]: [b.join('')] }
        const message = { jsonrpc: '2.0', id: 1, result }
        expect(read(JSON.stringify(message))).toEqual([message])
        // One bracket behind the texts must still be seen: only so deep nesting is found there.
        const deep = `${JSON.stringify(message).slice(0, -1)},"x":${'['.repeat(600)}`
        expect(read(deep)).toBeUndefined()
      }),
    )
  })

  it('may hold any brackets in their texts', () => {
    const message = { jsonrpc: '2.0', id: 1, result: { text: `"\\${'['.repeat(5_000)}` } }
    expect(read(JSON.stringify(message))).toEqual([message])
  })

  it('are refused before they are parsed when they nest too deeply', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
    const line = (depth: number): string =>
      `{"jsonrpc":"2.0","id":1,"result":{"x":${nested(depth)}}}`
    expect(read(line(500))).toHaveLength(1)
    expect(read(line(1_000))).toBeUndefined()
    const endless = `{"jsonrpc":"2.0","id":1,"result":${'['.repeat(30_000_000)}`
    expect(cpuMsOf(() => expect(read(endless)).toBeUndefined())).toBeLessThan(2_000)
  })
})
