import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { expect, test } from './fixtures/desktop-test'

const ID = '0123456789abcdef'
const TICKET = ID + ID

test.describe('E13 views in the desktop shell', () => {
  test('lets frames load the addresses of views alone', async ({ desktop }) => {
    const loaded: string[] = []
    const peer = createServer(({ headers: { host }, url }, response) => {
      loaded.push(`${host?.split(':')[0]}${url}`)
      response.end('<p>Loaded</p>')
    })
    await new Promise<void>((listening) => peer.listen(0, '127.0.0.1', listening))
    const { port } = peer.address() as AddressInfo
    const { page } = await desktop.launch()
    const showFrame = (host: string, path: string): Promise<void> =>
      page.evaluate(`new Promise((over) => {
          const frame = document.createElement('iframe')
          frame.onload = over
          frame.src = 'http://${host}:${port}${path}'
          document.body.append(frame)
          setTimeout(over, 1000)
        })`)
    for (const [host, path] of [
      [`f${ID}.localhost`, `/view/${TICKET}`],
      [`v${ID}.localhost`, `/frame/${TICKET}`],
      [`f${ID}.localhost`, `/frame/${TICKET}?a`],
      [`f${ID}.localhost`, `/frame/${TICKET}/`],
      [`f${ID}.localhost`, `/frame/${ID}`],
      [`f${ID}.localhost`, '/'],
      [`${ID}.localhost`, `/frame/${TICKET}`],
      [`x.f${ID}.localhost`, `/frame/${TICKET}`],
      ['page.localhost', `/frame/${TICKET}`],
    ] as const)
      await showFrame(host, path)
    expect(loaded).toEqual([])
    await showFrame(`f${ID}.localhost`, `/frame/${TICKET}`)
    await showFrame(`v${ID}.localhost`, `/view/${TICKET}`)
    expect(loaded).toEqual([`f${ID}.localhost/frame/${TICKET}`, `v${ID}.localhost/view/${TICKET}`])
    peer.closeAllConnections()
    peer.close()
  })
})
