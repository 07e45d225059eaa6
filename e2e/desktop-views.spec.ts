import type { Page } from '@playwright/test'

import { expect, test } from './fixtures/desktop-test'
import {
  expectAllBlocked,
  installViews,
  openPeer,
  openView,
  rowOf,
  viewFrame,
} from './fixtures/view-page'

const ID = '0123456789abcdef'
const TICKET = ID + ID

/** Adds a frame with this address to Patchbay's page, and gives it time to load. */
function addFrame(page: Page, address: string): Promise<void> {
  return page.evaluate(`new Promise((over) => {
    const frame = document.createElement('iframe')
    frame.onload = over
    frame.src = ${JSON.stringify(address)}
    document.body.append(frame)
    setTimeout(over, 500)
  })`)
}

test.describe('E13: views in the desktop shell', () => {
  test('load in frames, and nothing else does', async ({ desktop }) => {
    const { page, ...app } = await desktop.launch()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await using peer = await openPeer()
    const { port } = new URL(peer.address)
    for (const [host, path] of [
      [`f${ID}.localhost`, `/frame/${TICKET}`],
      [`v${ID}.localhost`, `/view/${TICKET}`],
      ['page.localhost', '/'],
      ['127.0.0.1', '/'],
    ] as const)
      await addFrame(page, `http://${host}:${port}${path}`)
    expect(peer.reached).toEqual([])
    await installViews(page, 'Views')
    await openView(page, 'Views', 'show', { word: 'hello' })
    await expect(rowOf(page, 'result')).toHaveText('result: {"word":"hello"}')
    const used = (await viewFrame(page).getAttribute('src')) ?? ''
    await addFrame(page, used)
    await addFrame(page, used.replace('/frame/', '/view/'))
    await addFrame(page, new URL(used).origin)
    const loaded = page.frames().map((frame) => frame.url())
    expect(loaded.filter((url) => url.includes('.localhost'))).toHaveLength(2)
    const policy = await app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.getWebRTCIPHandlingPolicy(),
    )
    expect(policy).toBe('disable_non_proxied_udp')
  })

  test('can’t escape their frame', async ({ desktop }) => {
    const app = await desktop.launch()
    const { page } = app
    await using peer = await openPeer()
    await installViews(page, 'Hostile')
    const home = page.url()
    await openView(page, 'Hostile', 'hostile', { page: 'app://patchbay', peer: peer.address })
    await expectAllBlocked(page)
    expect(peer.reached).toEqual([])
    expect(new URL(page.url()).host).toBe(new URL(home).host)
    expect(app.calls()).toEqual([])
  })
})
