import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { endsOf } from '../../lines/message-framing'
import { readEnvelope } from './answer'

const envelopeOf = (text: string): unknown => readEnvelope(endsOf(Buffer.from(text)))

const long = 'x'.repeat(10_000)
const value = JSON.stringify({ text: long })
const call = '"method":"sampling/createMessage"'

describe('B2 the id of a message over the limit', () => {
  it.each([
    `{"jsonrpc":"2.0","id":7,"result":${value}}`,
    `{"id":7,"jsonrpc":"2.0","result":${value}}`,
    `{ "id" : 7 , "result" : ${value} , "jsonrpc" : "2.0" }`,
    `{"jsonrpc":"2.0","result":${value},"id":7}`,
    `{"result":${value},"jsonrpc":"2.0","id":7}`,
    `{"result":${value},"id":7,"jsonrpc":"2.0"}`,
    `\uFEFF\u001B[32m{"jsonrpc":"2.0","id":7,"error":${value}}`,
    `{"jsonrpc":"2.0","result":${value},"id":7}\u001B[0m\r`,
  ])('is read at its start or at its end, in every usual order: %.40s', (line) => {
    expect(envelopeOf(line)).toEqual({ id: 7, isCall: false })
  })

  it.each([
    `{"jsonrpc":"2.0","id":"a\\"b",${call},"params":${value}}`,
    `{"jsonrpc":"2.0",${call},"id":"a\\"b","params":${value}}`,
    `{${call},"params":${value},"jsonrpc":"2.0","id":"a\\"b"}`,
  ])('is that of a request of the server: %.40s', (line) => {
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

  it('is never one that stands inside the result', () => {
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
