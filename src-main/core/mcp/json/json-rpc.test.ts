import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { cpuMsOf } from '../../../../e2e/fixtures/cpu-time'
import { exactJson, mayLoseDigits } from './exact-json'
import { type ReadText, readText, withoutResultType, writeMessage } from './json-rpc'
import { exactResult, writtenResult } from './result-text'

const readLine = (line: string | Buffer): ReadText | undefined => {
  const read = readText(Buffer.from(line), () => false)
  return 'why' in read ? undefined : read
}
const read = (line: string): unknown => readLine(line)?.messages.map(({ message }) => message)

describe('B4: the messages of a line', () => {
  it('are found whatever brackets, quotes and backslashes their strings contain', () => {
    const text = fc.array(
      fc.constantFrom('[', ']', '{', '}', '"', '\\', 'a', '\n', '日', 'x'.repeat(50)),
      { maxLength: 60 },
    )
    fc.assert(
      fc.property(text, text, (a, b) => {
        const result = { [a.join('')]: [b.join('')] }
        const message = { jsonrpc: '2.0', id: 1, result }
        expect(read(JSON.stringify(message))).toEqual([message])
        // A bracket after the strings must be noticed, because only then the deep nesting is found.
        const deep = `${JSON.stringify(message).slice(0, -1)},"x":${'['.repeat(600)}`
        expect(read(deep)).toBeUndefined()
      }),
    )
  })

  it('are rejected before parsing if they are nested too deeply', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
    const line = (depth: number): string =>
      `{"jsonrpc":"2.0","id":1,"result":{"x":${nested(depth)},"text":"${'['.repeat(5_000)}"}}`
    expect(read(line(500))).toHaveLength(1)
    expect(read(line(1_000))).toBeUndefined()
    const endless = `{"jsonrpc":"2.0","id":1,"result":${'['.repeat(30_000_000)}`
    expect(cpuMsOf(() => expect(read(endless)).toBeUndefined())).toBeLessThan(2_000)
  })
})

/** Returns the text of a line's result as it is forwarded, or `written` if it would be serialized again. */
function textOf(line: string | Buffer): string | undefined {
  const [first] = readLine(line)?.messages ?? []
  return first && (first.result?.toString() ?? 'written')
}

const VERSION = '"jsonrpc":"2.0"'
const A = '{"a": [1, 2]}'

describe('B2: the text of a result', () => {
  it.each([
    ['between spaces', `{ "jsonrpc": "2.0", "result" : ${A} , "id": 1 }`, A],
    ['after others', `{"meta":{"a":1},${VERSION},"id":1,"result":{"b":2}}`, '{"b":2}'],
    ['after colors', `\u001B[0m{${VERSION},"id":1,"result":{"a":1}}`, '{"a":1}'],
    [
      'unless an escaped key may be the same',
      `{${VERSION},"id":1,"result":{},"\\u0072esult":{}}`,
      'written',
    ],
  ])('is a part of its line, %s', (_which, line, text) => {
    expect(textOf(line)).toBe(text)
  })

  it('is serialized again if its bytes are invalid UTF-8', () => {
    const line = Buffer.from(`{${VERSION},"id":1,"result":{"a":"?"}}`)
    line[line.indexOf('?')] = 0xff
    expect(textOf(line)).toBe('written')
    expect(writtenResult({ content: [] }).text).toBe('{"content":[]}')
  })

  it('equals the parsed value, however the line is written', () => {
    const member = fc.constantFrom(
      ...[VERSION, '"id":1', '"result":{"a":"}"}', '"result":{"b":{"c":[{}]}}', '"result":[{}]'],
      ...['"error":{"code":1,"message":"no"}', '"x":{"result":{}}', '"y":"\\"result\\":{"'],
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
})

describe('F6: a lone surrogate', () => {
  it('becomes U+FFFD in values, keys and bytes that are read, and in written messages', () => {
    const half = String.raw`\ud83d`
    const strings = String.raw`{"a${half}":"${half}x","whole":"\ud83d\ude00","text":"\\ud83d"}`
    const fixed = { 'a\uFFFD': '\uFFFDx', whole: '\u{1F600}', text: half }
    const { messages, hasLoneSurrogates } =
      readLine(`{${VERSION},"id":1,"result":${strings}}`) ?? {}
    expect([messages?.[0]?.message.result, hasLoneSurrogates]).toEqual([fixed, true])
    expect(JSON.parse(String(messages?.[0]?.result))).toEqual(fixed)
    expect(writeMessage({ text: 'a\uD83D', whole: '\u{1F600}' })).toBe(
      '{"text":"a\\ufffd","whole":"\u{1F600}"}',
    )
  })
})

describe('B2: a written message', () => {
  it('contains no character that a server may take for a line ending', () => {
    const message = { text: 'a\u2028b\u2029c\r\n\u{1F600}' }
    const line = writeMessage(message)
    expect(line.split(/[\n\r\u2028\u2029\u0085]/u)).toHaveLength(1)
    expect(JSON.parse(line)).toEqual(message)
  })
})

describe('F6: the digits of JSON', () => {
  it.each([
    '{"id":1917043659912705297}',
    '[1.0,-0,1e2,0.1000000000000000055,1.50,12345678901234567890.5]',
    '{"a":[{"b":{"c":100000000000000000000}}],"d":"1.0"}',
    '{"plain":[1,-2,"x",null,true]}',
    '7.0',
  ])('are serialized as they were read: %s', (text) => {
    expect(JSON.stringify(exactJson(text))).toBe(text)
    expect(writeMessage({ params: exactJson(text) })).toBe(`{"params":${text}}`)
  })

  it.each([
    ['{"a":1917043659912705297}', true],
    ['{"a":-0.1000000000000000055}', true],
    ['{"a":1e400}', true],
    ['{"a":0.30000000000000004,"b":1.0,"c":1e5,"d":9007199254740991}', false],
    ['{"a":"1917043659912705297"}', true],
  ])('of %s may change: %j', (text, expected) => {
    expect(mayLoseDigits(text)).toBe(expected)
  })

  it('are plain numbers if JavaScript represents them', () => {
    expect(exactJson('{"a":1.5,"b":2}')).toEqual({ a: 1.5, b: 2 })
  })

  it('of a result are kept if JavaScript would lose them', () => {
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
  ])("are kept when a result's type is removed: %s", (text, rest) => {
    expect(withoutResultType(Buffer.from(text)).toString()).toBe(rest)
  })
})
