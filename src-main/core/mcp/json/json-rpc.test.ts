import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { cpuMsOf } from '../../../../e2e/fixtures/cpu-time'
import { type ReadText, readText, withoutResultType, writeMessage } from './json-rpc'
import { exactResult, writtenResult } from './result-text'

const readLine = (line: string | Buffer): ReadText | undefined => {
  const read = readText(Buffer.from(line), () => false)
  return 'why' in read ? undefined : read
}
const read = (line: string): unknown => readLine(line)?.messages.map(({ message }) => message)

describe('B4 the messages of a line', () => {
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

/** The text of the result of a line, as it would be passed on; `written` where it would be written again. */
function textOf(line: string | Buffer): string | undefined {
  const [first] = readLine(line)?.messages ?? []
  return first && (first.result?.toString() ?? 'written')
}

const VERSION = '"jsonrpc":"2.0"'

describe('B2 the text of a result', () => {
  it.each([
    `{${VERSION},"id":1,"result":{"a": [1, 2]}}`,
    `{"result":{"a": [1, 2]},${VERSION},"id":1}`,
    `{"id":"1",${VERSION},"result":{"a": [1, 2]}}`,
    `{ "jsonrpc": "2.0", "result" : {"a": [1, 2]} , "id": 1 }`,
  ])('is taken from its line however its line is written: %s', (line) => {
    expect(textOf(line)).toBe('{"a": [1, 2]}')
  })

  it.each([
    ['the last of two', `{${VERSION},"id":1,"result":{"a":1},"result":{"b":2}}`, '{"b":2}'],
    ['not one inside', `{${VERSION},"id":1,"result":{"a":1},"x":{"result":{}}}`, '{"a":1}'],
    ['before an error', `{${VERSION},"id":1,"result":{"a":1},"error":null}`, '{"a":1}'],
    ['behind others', `{"meta":{"a":1},${VERSION},"id":1,"result":{"b":2}}`, '{"b":2}'],
    ['wherever it stands', `{${VERSION},${' '.repeat(300)}"id":1,"result":{"a":1}}`, '{"a":1}'],
    ['behind colors', `\u001B[0m{${VERSION},"id":1,"result":{"a":1}}`, '{"a":1}'],
    [
      'written again where its key has escapes',
      `{${VERSION},"id":1,"\\u0072esult":{"a":1}}`,
      'written',
    ],
    [
      'written again where another key may be the same',
      `{${VERSION},"id":1,"result":{"a":1},"\\u0072esult":{}}`,
      'written',
    ],
  ])('is %s', (_which, line, text) => {
    expect(textOf(line)).toBe(text)
  })

  it('is written again where its bytes are no text', () => {
    const line = Buffer.from(`{${VERSION},"id":1,"result":{"a":"?"}}`)
    line[line.indexOf('?')] = 0xff
    expect(textOf(line)).toBe('written')
  })

  it('says the same as what was parsed, however the line is written', () => {
    const member = fc.constantFrom(
      VERSION,
      '"id":1',
      '"result":{"a":"}"}',
      '"result":{"b":{"c":[{}]}}',
      '"result":[{}]',
      '"error":{"code":1,"message":"no"}',
      '"x":{"result":{}}',
      '"y":"\\"result\\":{"',
    )
    const line = fc
      .array(member, { minLength: 1, maxLength: 6 })
      .map((members) => `{${members.join(',')}}`)
    fc.assert(
      fc.property(line, (text) => {
        const found = textOf(text)
        if (found === undefined || found === 'written') return
        const { result } = JSON.parse(text) as { result: unknown }
        expect(JSON.parse(found)).toEqual(result)
      }),
      { numRuns: 2_000 },
    )
  })

  it('is as it was parsed where it is written again', () => {
    expect(writtenResult({ content: [] })).toEqual({
      text: '{"content":[]}',
      result: { content: [] },
    })
  })
})

describe('F6 the digits of a result', () => {
  it('are those of its server where JavaScript would lose them', () => {
    const line = `{${VERSION},"id":1,"result":{"n":9007199254740993,"m":1.0}}`
    const [first] = readLine(line)?.messages ?? []
    const own = first?.result ?? Buffer.alloc(0)
    const exact = exactResult({ text: own, own, result: {} })
    expect(JSON.stringify(exact)).toBe('{"n":9007199254740993,"m":1.0}')
  })

  it.each([
    ['{"resultType":"complete","a":1}', '{"a":1}'],
    ['{"a":{"resultType":"x"}, "resultType" : "complete"}', '{"a":{"resultType":"x"}}'],
    ['{"a":1,"resultType":"complete", "b":2}', '{"a":1, "b":2}'],
    ['{"resultType":"complete"}', '{}'],
    ['{"a":",","b":1}', '{"a":",","b":1}'],
  ])('stay where the type of a result is cut off: %s', (text, rest) => {
    expect(withoutResultType(Buffer.from(text)).toString()).toBe(rest)
  })

  it('are written as they are given', () => {
    const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown }
    expect(writeMessage({ id: 1, params: { n: rawJSON('9007199254740993.0') } })).toBe(
      '{"id":1,"params":{"n":9007199254740993.0}}',
    )
  })
})
