import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { endsOf } from '../../lines/message-framing'
import { readText, type Unread } from '../json/json-rpc'
import { readAnswer, readEnvelope, unreadMessage } from './answer'

const WORDS = 'The token of the shop has expired.'
const error = { code: -32_000, message: 'no' }
const read = (members: object, method = 'tools/call') =>
  readAnswer({ jsonrpc: '2.0', id: 1, ...members }, undefined, method, false)

describe('B3: a response', () => {
  it.each([
    [{}, 'has neither a result nor an error'],
    [{ error: null }, 'has neither a result nor an error'],
    [{ result: 5 }, 'has a result that is not an object'],
    [{ result: [1] }, 'has a result that is not an object'],
    [{ result: null }, 'has a result that is not an object'],
    [{ result: {}, error }, 'has both a result and an error'],
  ])('is unusable with %j', (members, problem) => {
    expect(read(members)).toEqual({ problem, repairs: [] })
  })

  it.each([
    [{ result: {}, error: null }, 'answer', 'has an empty error next to its result'],
    [{ result: null, error }, 'error', 'has an empty result next to its error'],
    [{ id: '1', result: {} }, 'answer', 'has its ID as a string'],
  ])('is accepted with %j, which counts as a fault', (members, kind, quirk) => {
    expect(read(members)).toMatchObject({ [kind]: {}, quirk })
  })

  it.each([null, true, [], 'ok'])('to a request without a result may have any: %j', (result) => {
    const repairs = ['the result is not an object']
    expect(read({ result }, 'resources/subscribe')).toMatchObject({
      answer: { result: {} },
      repairs,
    })
  })

  it.each<[unknown, object]>([
    ['a bare word', { code: -32_000, message: 'a bare word' }],
    [
      { code: 'X', message: WORDS },
      { code: -32_000, message: WORDS },
    ],
    [
      { code: 1.5, message: WORDS },
      { code: -32_000, message: WORDS },
    ],
    [
      { code: -1, data: WORDS },
      { code: -1, message: WORDS, data: WORDS },
    ],
    [{ error: WORDS }, { code: -32_000, message: WORDS }],
    [{ reason: 1 }, { code: -32_000, message: '{"reason":1}' }],
  ])('fails with an error of any shape: %j', (odd, refusal) => {
    const quirk = 'has an error without a numeric code or a message'
    expect(read({ error: odd })).toMatchObject({ error: refusal, quirk })
  })

  it("keeps the server's text and digits, without the type of a stateless result", () => {
    const own = Buffer.from('{"resultType":"complete","content": [], "n": 9007199254740993.0}')
    const result = JSON.parse(own.toString()) as object
    const text = (isStateless: boolean): string | undefined =>
      readAnswer({ id: 1, result }, own, 'tools/call', isStateless).answer?.text.toString()
    expect(text(true)).toBe('{"content": [], "n": 9007199254740993.0}')
    expect(text(false)).toBe(own.toString())
  })

  it.each([
    ['{"a":"NaN","b":NaN}', 'contains NaN at position 48, which isn’t valid JSON'],
    ['{"b": -Infinity}', 'contains -Infinity at'],
    ['{"a":1,}', 'isn’t valid JSON at position'],
    [`{"a":${'['.repeat(600)}`, 'is nested deeper than 512 levels'],
  ])("that can't be parsed says why: %.20s", (result, words) => {
    const text = Buffer.from(`{"jsonrpc":"2.0","id":1,"result":${result}}`)
    const unread = unreadMessage(text, readText(text, () => true) as Unread)
    expect(unread?.failure('tools/call').message).toContain(words)
  })
})

describe('B3: a response written as a literal of another language', () => {
  it.each([
    "{'jsonrpc': '2.0', 'id': 7, 'result': {'content': [], 'isError': False, 'x': None}}",
    "{'id': 7, 'jsonrpc': '2.0', 'error': {'code': -1, 'message': \"it's\"}}",
    "{'jsonrpc': '2.0', 'result': {'content': [{'type': 'text', 'text': 'a'}]}, 'id': 7}",
    "{ jsonrpc: '2.0', id: 7, result: { content: [] } }",
    '{jsonrpc:"2.0",id:7,result:{}}',
  ])('identifies its request: %.50s', (line) => {
    const text = Buffer.from(line)
    const unread = unreadMessage(text, readText(text, () => true) as Unread)
    expect(unread).toMatchObject({ id: 7, isCall: false, isPrinted: true })
    expect(unread?.failure('tools/call').message).toBe(
      'The server’s response to tools/call isn’t JSON: it is written as a program prints a value.',
    )
  })

  it.each([
    "{'level': 'info', 'id': 7}",
    "{ 'a': {'jsonrpc': '2.0', 'id': 7, 'result': {}} }",
    "{'x",
  ])('is not recognized in other text: %.50s', (line) => {
    const text = Buffer.from(line)
    expect(unreadMessage(text, readText(text, () => true) as Unread)?.id).toBeUndefined()
  })
})

const envelopeOf = (text: string): unknown => readEnvelope(endsOf(Buffer.from(text)))

const long = 'x'.repeat(10_000)
const value = JSON.stringify({ text: long })
const call = '"method":"sampling/createMessage"'

describe('B2: the id of an oversized message', () => {
  it.each([
    `{"jsonrpc":"2.0","id":7,"result":${value}}`,
    `{"id":7,"jsonrpc":"2.0","result":${value}}`,
    `{ "id" : 7 , "result" : ${value} , "jsonrpc" : "2.0" }`,
    `{"jsonrpc":"2.0","result":${value},"id":7}`,
    `{"result":${value},"jsonrpc":"2.0","id":7}`,
    `{"result":${value},"id":7,"jsonrpc":"2.0"}`,
    `\uFEFF\u001B[32m{"jsonrpc":"2.0","id":7,"error":${value}}`,
    `{"jsonrpc":"2.0","result":${value},"id":7}\u001B[0m\r`,
  ])('is read at its start or end, in every usual order: %.40s', (line) => {
    expect(envelopeOf(line)).toEqual({ id: 7, isCall: false })
  })

  it.each([
    `{"jsonrpc":"2.0","id":"a\\"b",${call},"params":${value}}`,
    `{"jsonrpc":"2.0",${call},"id":"a\\"b","params":${value}}`,
    `{${call},"params":${value},"jsonrpc":"2.0","id":"a\\"b"}`,
  ])('is also read from a request of the server: %.40s', (line) => {
    expect(envelopeOf(line)).toEqual({ id: 'a"b', isCall: true })
  })

  it.each([
    long,
    `[{"jsonrpc":"2.0","id":7,"result":{"text":"${long}"}}]`,
    `{"jsonrpc":"2.0","result":{"rows":["${long}",{"a":1,"id":7}]}}`,
    `{"jsonrpc":"2.0","result":{"a":"${long}","id":7}}`,
    `{"jsonrpc":"2.0","result":"${long},\\"id\\":7}`,
  ])('is not guessed: %.40s', (line) => {
    expect(envelopeOf(line)).toBeUndefined()
  })

  it('is never taken from inside the result', () => {
    const inner = fc.jsonValue({ maxDepth: 4 })
    fc.assert(
      fc.property(inner, inner, (a, b) => {
        const result = { id: 1, text: long, a, b, z: { id: 2 } }
        expect(envelopeOf(JSON.stringify({ jsonrpc: '2.0', result }))).toBeUndefined()
        const last = JSON.stringify({ jsonrpc: '2.0', result, id: 9 })
        expect(envelopeOf(last)).toEqual({ id: 9, isCall: false })
      }),
    )
  })
})
