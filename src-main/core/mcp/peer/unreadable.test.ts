import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { readEnvelope } from './answer'

const KEPT = 4_096

function envelopeOf(text: string): unknown {
  const bytes = Buffer.from(text)
  return readEnvelope({
    bytes: bytes.length,
    head: bytes.subarray(0, KEPT),
    tail: bytes.subarray(-KEPT),
  })
}

const long = 'x'.repeat(10_000)

describe('B2 the id of a message over the limit', () => {
  it('is read at its start or at its end, in every usual order', () => {
    const value = JSON.stringify({ text: long })
    for (const line of [
      `{"jsonrpc":"2.0","id":7,"result":${value}}`,
      `{"id":7,"jsonrpc":"2.0","result":${value}}`,
      `{ "id" : 7 , "result" : ${value} , "jsonrpc" : "2.0" }`,
      `{"jsonrpc":"2.0","result":${value},"id":7}`,
      `{"result":${value},"jsonrpc":"2.0","id":7}`,
      `{"result":${value},"id":7,"jsonrpc":"2.0"}`,
      `\uFEFF\u001B[32m{"jsonrpc":"2.0","id":7,"error":${value}}`,
      `{"jsonrpc":"2.0","result":${value},"id":7}\u001B[0m\r`,
    ]) {
      expect(envelopeOf(line)).toEqual({ id: 7, isCall: false })
    }
  })

  it('is that of a request of the server', () => {
    const params = JSON.stringify({ text: long })
    for (const line of [
      `{"jsonrpc":"2.0","id":"a\\"b","method":"sampling/createMessage","params":${params}}`,
      `{"jsonrpc":"2.0","method":"sampling/createMessage","id":"a\\"b","params":${params}}`,
      `{"method":"sampling/createMessage","params":${params},"jsonrpc":"2.0","id":"a\\"b"}`,
    ]) {
      expect(envelopeOf(line)).toEqual({ id: 'a"b', isCall: true })
    }
  })

  it('is not guessed', () => {
    for (const line of [
      long,
      `[{"jsonrpc":"2.0","id":7,"result":{"text":"${long}"}}]`,
      `{"jsonrpc":"2.0","result":{"rows":["${long}",{"a":1,"id":7}]}}`,
      `{"jsonrpc":"2.0","result":{"a":"${long}","id":7}}`,
      `{"jsonrpc":"2.0","result":"${long},\\"id\\":7}`,
    ]) {
      expect(envelopeOf(line)).toBeUndefined()
    }
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
