import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { describe, expect, it } from 'vitest'

import { devServerOf, readDevFile } from './dev-server'

describe("D1: the renderer's development server", () => {
  it.each([
    ['http://localhost:5173', false, 'http://localhost:5173/'],
    ['http://127.0.0.1:5173/', false, 'http://127.0.0.1:5173/'],
    ['http://localhost:5173', true, undefined],
    [undefined, false, undefined],
    ['', false, undefined],
    ['http://a.example:5173', false, undefined],
    ['https://localhost:5173', false, undefined],
    ['file:///tmp', false, undefined],
  ])(
    'is used only on loopback by an unpackaged app: %j, packaged %j',
    (address, isPackaged, url) => {
      expect(devServerOf(address, isPackaged)?.href).toBe(url)
    },
  )

  it('serves files by path and query, with a policy that lets the page reach only it', async () => {
    const peer = createServer((request, response) => {
      const isKnown = request.url === '/main.tsx?t=1'
      response.writeHead(isKnown ? 200 : 404, { 'content-type': 'text/javascript' }).end('one()')
    }).listen(0, '127.0.0.1')
    await once(peer, 'listening')
    const { port } = peer.address() as AddressInfo
    const server = new URL(`http://127.0.0.1:${String(port)}`)
    try {
      const file = await readDevFile(server, 'app://patchbay/main.tsx?t=1')
      expect(new TextDecoder().decode(file.body)).toBe('one()')
      expect(file).toMatchObject({ status: 200, headers: { 'content-type': 'text/javascript' } })
      expect(file.headers['content-security-policy']).toContain(
        `connect-src 'self' http://${server.host} ws://${server.host};`,
      )
      expect(await readDevFile(server, 'app://patchbay//a.example/x')).toMatchObject({
        status: 404,
      })
    } finally {
      peer.close()
    }
  })
})
