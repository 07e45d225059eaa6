import { PassThrough } from 'node:stream'

import { describe, expect, it } from 'vitest'

import { Bridge } from './bridge'
import { AgentKeyRing, GatewayClient } from './gateway-client'
import { HostConnection } from './gateway-client'

/** A bridge without a gateway, and the lines its host gets. */
function openBridge(): { readonly bridge: Bridge; readonly lines: () => string[] } {
  const out = new PassThrough()
  const keys = new AgentKeyRing('anna', 'pb_given', () => Promise.resolve(null))
  const gateway = new GatewayClient(() => undefined, keys, undefined)
  const bridge = new Bridge(gateway, new HostConnection(out), () => undefined, '1.0.0')
  let text = ''
  out.on('data', (chunk: Buffer) => (text += chunk.toString()))
  return { bridge, lines: () => text.split('\n').slice(0, -1) }
}

const call = (id: string): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"one"}}`

describe('F6: request ids at the bridge', () => {
  it('keep their digits, and two that round alike are answered separately', async () => {
    const { bridge, lines } = openBridge()
    const ids = ['9007199254740993', '9007199254740992', '-9007199254740995', '1', '"1"']
    for (const id of ids) bridge.receive(Buffer.from(call(id)))
    await bridge.idle()
    await expect.poll(() => lines().map((line) => /"id":([^,]+),/.exec(line)?.[1])).toEqual(ids)
  })

  it('keep their digits in a batch', async () => {
    const { bridge, lines } = openBridge()
    const ids = ['9007199254740993', '9007199254740992']
    bridge.receive(Buffer.from(`[${ids.map(call).join(',')}]`))
    await bridge.idle()
    await expect.poll(() => lines().map((line) => /"id":([^,]+),/.exec(line)?.[1])).toEqual(ids)
  })
})
