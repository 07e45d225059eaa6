import type { JSONRPCMessage } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'

import { openTransport, soon } from '../../../../e2e/fixtures/open-transport'

const answer = (id: number): JSONRPCMessage => ({ jsonrpc: '2.0', id, result: {} })
const progress: JSONRPCMessage = {
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken: 9, progress: 1 },
}

describe('B3 an answer whose id is no id', () => {
  const odd = (id: string): string => `{"jsonrpc":"2.0","id":${id},"result":{}}`
  const text = JSON.stringify

  it.each([
    ['an object without a text', '{"toString":0}'],
    ['an object without a value', '{"valueOf":0,"toString":0}'],
    ['a list', '[1]'],
    ['null', 'null'],
    ['a truth', 'true'],
    ['a fraction', '1.5'],
  ])('is counted, and what follows arrives: %s', async (_what, id) => {
    const { stdout, seen, faults } = openTransport()
    stdout.write(
      `${odd(id)}\n${text(answer(1))}\n[${text(answer(2))},${odd(id)},${text(answer(3))}]\n`,
    )
    // Behind a notification it is handed on a turn later, when nobody could catch what it throws.
    stdout.write(`[${text(progress)},${odd(id)},${text(answer(4))}]\n${text(answer(5))}\n`)
    await soon()
    const answers = seen.filter((message) => 'id' in message)
    expect(answers).toEqual([1, 2, 3, 4, 5].map(answer))
    expect(faults.filter((fault) => fault === 'unknownAnswers')).toHaveLength(3)
  })
})

describe('B3 reading one message', () => {
  it('never throws into the stream: it is told, and the next one is read', async () => {
    const errors: string[] = []
    const { stdout, seen, transport } = openTransport(50_000, {
      onFault: (fault) => {
        throw new TypeError(`cannot count ${fault}`)
      },
    })
    transport.onerror = (error) => errors.push(error.message)
    const large = `{"jsonrpc":"2.0","id":"x","result":"${'x'.repeat(50_000)}"}`
    const lines = [answer(77), [progress, answer(78), answer(1)], answer(2)]
    stdout.write(`${large}\n${lines.map((line) => `${JSON.stringify(line)}\n`).join('')}`)
    await soon()
    expect(seen.filter((message) => 'id' in message)).toEqual([answer(1), answer(2)])
    expect(errors).toEqual(
      ['oversizedMessages', 'unknownAnswers', 'batches', 'unknownAnswers'].map(
        (fault) => `cannot count ${fault}`,
      ),
    )
  })

  it('is not kept from who waits for it by who only takes note', async () => {
    const { stdout, seen } = openTransport(undefined, {
      tap: {
        sent: () => undefined,
        received: () => {
          throw new TypeError('cannot be noted')
        },
      },
    })
    stdout.write(`${JSON.stringify(answer(1))}\n`)
    await soon()
    expect(seen).toEqual([answer(1)])
  })
})

describe('B3 the answer to a request that was given up', () => {
  it('is counted as late also where the server could not be told so', async () => {
    const { stdin, stdout, seen, faults, transport } = openTransport()
    const nothing = (): void => undefined
    const own = { onAnswer: nothing, onProgress: nothing, onFailure: nothing }
    const id = transport.own.ask('tools/call', {}, own)
    await soon()
    stdin.destroy()
    transport.own.giveUp(id, 'It is no longer wanted.')
    const params = { requestId: 1 }
    const told = transport.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params })
    await expect(told).rejects.toThrow('no longer reads')
    stdout.write(`${JSON.stringify(answer(id))}\n${JSON.stringify(answer(1))}\n`)
    await soon()
    expect({ seen, faults }).toEqual({ seen: [], faults: ['lateAnswers', 'lateAnswers'] })
  })
})

describe('B3 a batch', () => {
  it('is counted, and takes no answer with it for an element that is no message', async () => {
    const { stdout, seen, faults, noise } = openTransport()
    stdout.write(`${JSON.stringify([answer(1), null, answer(2), 'x'])}\n`)
    await soon()
    expect({ seen, noise }).toEqual({ seen: [answer(1), answer(2)], noise: [] })
    expect(faults).toEqual(['batches', 'malformedMessages', 'malformedMessages'])
  })
})

describe('B3 a message that is nested too deep to be read', () => {
  const deep = '['.repeat(600) + ']'.repeat(600)

  it.each([
    ['first', `{"jsonrpc":"2.0","id":1,"result":{"a":${deep}}}`],
    ['last', `{"result":{"a":${deep}},"jsonrpc":"2.0","id":1}`],
  ])(
    'fails the request whose id stands %s, at once, and the next is read',
    async (_where, line) => {
      const { stdout, seen, faults, noise } = openTransport()
      stdout.write(`${line}\n${JSON.stringify(answer(2))}\n`)
      await soon()
      const [failed, next] = seen as [{ id: number; error: { data: unknown } }, JSONRPCMessage]
      expect(failed.id).toBe(1)
      expect(failed.error.data).toMatchObject({
        code: 'INVALID_ANSWER',
        message: 'The server’s answer is nested deeper than 512 levels.',
      })
      expect(next).toEqual(answer(2))
      expect({ faults, noise }).toEqual({ faults: ['malformedMessages'], noise: [] })
    },
  )

  it('is refused when it is a request of the server, so that it does not wait', async () => {
    const { stdout, stdin, noise } = openTransport()
    await soon()
    stdin.read()
    stdout.write(`{"jsonrpc":"2.0","id":1,"method":"roots/list","params":{"a":${deep}}}\n`)
    await soon()
    expect(JSON.parse(String(stdin.read()))).toMatchObject({ id: 1, error: { code: -32_600 } })
    expect(noise).toEqual([])
  })

  it('is counted when it is a notification', async () => {
    const { stdout, seen, faults, noise } = openTransport()
    stdout.write(`{"jsonrpc":"2.0","method":"notifications/x","params":{"a":${deep}}}\n`)
    await soon()
    expect({ seen, faults, noise }).toEqual({ seen: [], faults: ['malformedMessages'], noise: [] })
  })

  it('is set aside as any line where nothing tells that it is one', async () => {
    const { stdout, faults, noise } = openTransport()
    stdout.write(`${deep}\n`)
    await soon()
    expect({ faults, noise }).toEqual({ faults: [], noise: [deep] })
  })
})
