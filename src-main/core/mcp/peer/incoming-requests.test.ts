import { describe, expect, it } from 'vitest'

import { openPeer, soon } from '../../../../e2e/fixtures/open-peer'

const text = (messages: readonly object[]): string =>
  messages.map((one) => `${JSON.stringify({ jsonrpc: '2.0', ...one })}\n`).join('')

describe('B3 requests and notifications of a server', () => {
  it('are delivered where they are well formed', async () => {
    const { stdout, seen, faults } = openPeer()
    stdout.write(
      text([
        { id: 'x', method: 'roots/list', params: { _meta: {} } },
        { method: 'notifications/message', params: { level: 'info', data: 1 } },
        { method: 'notifications/made_up', params: null },
      ]),
    )
    await soon()
    expect(seen).toEqual([
      { method: 'roots/list', params: { _meta: {} } },
      { method: 'notifications/message', params: { level: 'info', data: 1 } },
      { method: 'notifications/made_up', params: {} },
    ])
    expect(faults).toEqual(['repairs'])
  })

  it('are refused or dropped where they are not, and counted', async () => {
    const { stdout, stdin, seen, faults } = openPeer()
    await soon()
    stdin.read()
    const odd = [
      { id: 'x', method: 'roots/list', params: [1] },
      { id: 'y', method: 'roots/list', params: { _meta: 1 } },
      { id: { a: 1 }, method: 'roots/list' },
      { method: 'notifications/message', params: 'x' },
      { method: 5, id: 'x' },
      {},
    ]
    stdout.write(text(odd))
    await soon()
    const sent = String(stdin.read()).trim().split('\n')
    expect(sent.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { id: 'x', error: { code: -32_600 } },
      { id: 'y', error: { code: -32_600 } },
    ])
    expect({ seen, faults }).toEqual({ seen: [], faults: Array(6).fill('malformedMessages') })
  })

  it('are answered: a ping always, others once the handshake is done', async () => {
    const { stdin, stdout } = openPeer()
    await soon()
    stdin.read()
    stdout.write(text([{ id: 's', method: 'ping', params: null }]))
    stdout.write(text([{ id: 7, method: 'roots/list' }]))
    await soon()
    const sent = String(stdin.read()).trim().split('\n')
    expect(sent.map((line) => JSON.parse(line) as unknown)).toEqual([
      { jsonrpc: '2.0', id: 's', result: {} },
      { jsonrpc: '2.0', id: 7, result: {} },
    ])
  })
})
