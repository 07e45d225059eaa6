import type { Frame, Page } from '@playwright/test'

import { expect, test } from './fixtures/patchbay-test'
import { callOnce, openTool, resultOf, triedRows } from './fixtures/tool-run-page'
import {
  expectAllBlocked,
  installViews,
  openPeer,
  openView,
  openViewTab,
  press,
  rowOf,
  showView,
  viewFrame,
} from './fixtures/view-page'

test.use({ actionTimeout: 20_000 })

/** Documents of views, within their outer frames. */
const viewsOf = (page: Page): Frame[] =>
  page.frames().filter((frame) => /^http:\/\/v[\da-f]{16}\.localhost:/u.test(frame.url()))

test.describe('E13: views', () => {
  test('are shown once the user agrees', { tag: '@gate' }, async ({ app: { page } }) => {
    await installViews(page, 'Views')
    await test.step('names what the view loads, and shows nothing before the user agrees', async () => {
      await openViewTab(page, 'Views', 'show', { word: 'hello' })
      const consent = page.getByRole('region', { name: 'Show the view?' })
      await expect(consent).toContainText(
        'It can load from *.cdn.example.com and api.example.com and call this server’s tools.',
      )
      await expect(consent).toContainText('Ignored')
      await expect(consent).toContainText("'unsafe-eval'")
      expect(page.frames()).toHaveLength(1)
    })
    await test.step('passes input, result and context to the view', async () => {
      await showView(page)
      await expect(rowOf(page, 'started')).toHaveText('started: yes')
      await expect(rowOf(page, 'input')).toHaveText('input: {"word":"hello"}')
      await expect(rowOf(page, 'result')).toHaveText('result: {"word":"hello"}')
      await expect(rowOf(page, 'theme')).toHaveText('theme: light')
      await expect(rowOf(page, 'capabilities')).toHaveText(
        'capabilities: logging openLinks sandbox serverResources serverTools',
      )
      await expect(rowOf(page, 'context')).toHaveText(
        'context: availableDisplayModes containerDimensions displayMode locale theme timeZone',
      )
      await expect(page.getByText('Log of the view (1)')).toBeVisible()
      await expect(viewFrame(page)).toHaveCSS('height', '420px')
    })
    await test.step('passes read-only calls', async () => {
      await press(page, 'Look')
      await expect(rowOf(page, 'look')).toHaveText('look: Looked')
      await press(page, 'Read')
      await expect(rowOf(page, 'read')).toHaveText('read: ui://views/blob')
      await press(page, 'Model')
      await expect(rowOf(page, 'model')).toContainText('not available to views')
      await expect(page.getByRole('dialog')).toBeHidden()
    })
    const dialog = page.getByRole('dialog', { name: 'Allow the view to call save?' })
    await test.step('asks before other calls, with the exact arguments', async () => {
      await press(page, 'Save')
      await expect(dialog).toContainText('"value": "<b>7</b>"')
      await dialog.getByRole('button', { name: 'Deny' }).click()
      await expect(rowOf(page, 'save')).toContainText('The user denied this.')
      await press(page, 'Save')
      await dialog.getByRole('button', { name: 'Allow once' }).click()
      await expect(rowOf(page, 'save')).toHaveText('save: Saved <b>7</b>')
      await press(page, 'Save')
      await dialog.getByRole('button', { name: 'Allow for this view' }).click()
      await expect(rowOf(page, 'save')).toHaveText('save: Saved <b>7</b>')
      await press(page, 'Save')
      await expect(rowOf(page, 'save')).toHaveText('save: Saved <b>7</b>')
      await expect(dialog).toBeHidden()
    })
    await test.step("marks the view's calls", async () => {
      await openTool(page, 'Views', 'save')
      await expect(triedRows(page)).toHaveCount(3)
      await expect(triedRows(page).getByText('View', { exact: true })).toHaveCount(3)
    })
  })

  test('open links, have bounded height, follow the theme, and finish before they close', async ({
    app: { page },
  }) => {
    await installViews(page, 'Views')
    await openView(page, 'Views', 'show', { word: 'hello' })
    await expect(rowOf(page, 'started')).toBeVisible()
    await test.step('asks before a link opens, and rejects links other than https', async () => {
      await press(page, 'Bad link')
      await expect(rowOf(page, 'bad-link')).toHaveText('bad-link: {"isError":true}')
      const link = page.getByRole('dialog', { name: 'Open this link in your browser?' })
      await press(page, 'Link')
      await expect(link).toContainText('https://example.com/page?a=1')
      await link.getByRole('button', { name: 'Cancel' }).click()
      await expect(rowOf(page, 'link')).toHaveText('link: {"isError":true}')
      await page.context().route('https://example.com/**', (route) => route.fulfill({ body: 'Hi' }))
      await press(page, 'Link')
      const opened = page.context().waitForEvent('page')
      await link.getByRole('link', { name: 'Open' }).click()
      const other = await opened
      await other.waitForURL('https://example.com/page?a=1')
      expect(await other.evaluate('[opener, document.referrer]')).toEqual([null, ''])
      await other.close()
      await expect(rowOf(page, 'link')).toHaveText('link: {}')
    })
    await test.step('bounds the height, and follows the theme', async () => {
      await press(page, 'Tall')
      await expect(viewFrame(page)).toHaveCSS('height', '800px')
      await page.emulateMedia({ colorScheme: 'dark' })
      await expect(rowOf(page, 'theme')).toHaveText('theme: dark')
      await page.emulateMedia({ colorScheme: 'light' })
      await expect(rowOf(page, 'theme')).toHaveText('theme: light')
    })
    await test.step('stays open while the result is read', async () => {
      const outcome = resultOf(page).getByRole('radiogroup', { name: 'Outcome' })
      await outcome.getByRole('radio', { name: 'Result' }).click()
      await expect(resultOf(page)).toContainText('Shown hello')
      await expect(viewFrame(page)).toBeHidden()
      await outcome.getByRole('radio', { name: 'View' }).click()
      await expect(rowOf(page, 'link')).toHaveText('link: {}')
    })
    await test.step('lets the view finish, and closes it', async () => {
      await page.getByRole('button', { name: 'Close view' }).click()
      await expect(page.locator('iframe')).toHaveCount(0)
      await expect(resultOf(page)).toContainText('Shown hello')
      await expect(resultOf(page).getByRole('radio', { name: 'Result' })).toBeFocused()
      await openTool(page, 'Views', 'look')
      await expect(triedRows(page).first()).toContainText('goodbye')
    })
  })

  test('report blocked addresses, and close on their own request', async ({ app: { page } }) => {
    await installViews(page, 'Views')
    await openView(page, 'Views', 'show', { word: 'hello' })
    await expect(rowOf(page, 'started')).toBeVisible()
    const blocked = page.getByText('The view asked for addresses it didn’t declare')
    await expect(blocked).toBeHidden()
    await press(page, 'Elsewhere')
    await expect(rowOf(page, 'elsewhere')).toHaveText('elsewhere: blocked')
    await expect(blocked).toContainText(': undeclared.example.org. They were blocked.')
    await press(page, 'Done')
    await expect(page.locator('iframe')).toHaveCount(0)
    await expect(resultOf(page)).toContainText('Shown hello')
    await openTool(page, 'Views', 'look')
    await expect(triedRows(page).first()).toContainText('goodbye')
  })

  test('can’t escape their frame', async ({ app: { page } }) => {
    await using peer = await openPeer()
    await installViews(page, 'Hostile')
    const home = new URL(page.url()).origin
    const popups: string[] = []
    page.context().on('page', (popup) => popups.push(popup.url()))
    await openView(page, 'Hostile', 'hostile', { page: home, peer: peer.address })
    await expectAllBlocked(page)
    await expect(page.getByRole('dialog')).toBeHidden()
    await openTool(page, 'Hostile', 'save')
    await expect(triedRows(page)).toHaveCount(0)
    // Actions without a response: beacon, ping, form, nested frame, top and parent navigation.
    expect(peer.reached).toEqual([])
    expect(popups).toEqual([])
    expect(new URL(page.url()).origin).toBe(home)
  })

  test('are closed when they navigate away or flood Patchbay', async ({ app: { page } }) => {
    await installViews(page, 'Views')
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await openView(page, 'Views', 'leaves')
    await expect(page.getByText(/tried to open another page\. That was blocked/u)).toBeVisible()
    await expect(page.locator('iframe')).toHaveCount(0)
    expect(requests.filter((url) => url.includes('example.com'))).toEqual([])
    await openView(page, 'Views', 'floods')
    await expect(page.getByText(/sent too many messages and was closed/u)).toBeVisible()
    await expect(page.locator('iframe')).toHaveCount(0)
  })

  test('say when they don’t start, and when the browser can’t open them', async ({
    app: { page },
  }) => {
    await installViews(page, 'Views')
    await openView(page, 'Views', 'mute')
    await expect(
      page.getByText('The view didn’t start. Result shows the same data as text.'),
    ).toBeVisible()
    await page.route(/\/frame\//u, (route) => route.abort())
    await openView(page, 'Views', 'old')
    await expect(page.getByText('This browser can’t open views.')).toBeVisible()
    await expect(viewFrame(page)).toBeHidden()
  })

  test('are denied without a question after three denials, and ask again when reopened', async ({
    app: { page },
  }) => {
    await installViews(page, 'Views')
    await openViewTab(page, 'Views', 'show')
    const dialog = page.getByRole('dialog', { name: 'Allow the view to call save?' })
    await showView(page)
    for (let denied = 0; denied < 3; denied += 1) {
      await press(page, 'Save')
      await dialog.getByRole('button', { name: 'Deny' }).click()
      await expect(dialog).toBeHidden()
    }
    await press(page, 'Save')
    await press(page, 'Look')
    await expect(rowOf(page, 'look')).toHaveText('look: Looked')
    await expect(dialog).toBeHidden()
    await page.getByRole('button', { name: 'Close view' }).click()
    await expect(page.locator('iframe')).toHaveCount(0)
    await resultOf(page).getByRole('radio', { name: 'View', exact: true }).click()
    await showView(page)
    await press(page, 'Save')
    await expect(dialog).toBeVisible()
  })

  test('open without a question once allowed, until they declare other addresses', async ({
    app: { page },
  }) => {
    await installViews(page, 'Views')
    const consent = page.getByRole('region', { name: 'Show the view?' })
    // This one uses the older protocol.
    await openViewTab(page, 'Views', 'old')
    await expect(consent).toContainText('It loads nothing from the internet')
    await consent.getByRole('button', { name: 'Always for this server' }).click()
    await expect(rowOf(page, 'result')).toHaveText('result: [{"type":"text","text":"old"}]')
    await openViewTab(page, 'Views', 'show')
    await consent.getByRole('button', { name: 'Always for this server' }).click()
    await expect(rowOf(page, 'started')).toBeVisible()
    // The last one is a page of 5 MB.
    for (const tool of ['old', 'show', 'big']) {
      await openViewTab(page, 'Views', tool)
      await expect(rowOf(page, 'started')).toBeVisible()
    }
    await openTool(page, 'Views', 'move')
    await callOnce(page)
    await openViewTab(page, 'Views', 'show')
    await expect(consent).toContainText('elsewhere.example.com')
    expect(page.frames()).toHaveLength(1)
  })

  test('can’t read each other', async ({ app: { page } }) => {
    await installViews(page, 'Views')
    // The address of a view that never loads, for a second frame next to another view.
    await page.route(/\/frame\//u, (route) => route.abort())
    await openView(page, 'Views', 'old')
    await expect(viewFrame(page)).toHaveAttribute('src', /^http/u)
    const address = await viewFrame(page).getAttribute('src')
    await page.unroute(/\/frame\//u)
    await openView(page, 'Views', 'show')
    await expect(rowOf(page, 'started')).toBeVisible()
    await page.evaluate(`(() => {
      const frame = document.createElement('iframe')
      frame.src = ${JSON.stringify(address)}
      document.body.append(frame)
    })()`)
    await expect.poll(() => viewsOf(page).length).toBe(2)
    const views = viewsOf(page)
    expect(new Set(views.map((view) => new URL(view.url()).origin)).size).toBe(2)
    for (const view of views) {
      await view.waitForLoadState()
      // Each sees only itself among all frames.
      const titles = await view.evaluate(`[...Array(top.length).keys()].map((place) => {
        try { return top[place][0].document.title } catch (error) { return error.name }
      })`)
      expect((titles as string[]).toSorted()).toEqual(['Journey', 'SecurityError'])
      expect(await view.evaluate('try { localStorage.length } catch (error) { error.name }')).toBe(
        'SecurityError',
      )
      await view.evaluate(`
        document.cookie = 'a=1; domain=localhost'
        globalThis.received = []
        new BroadcastChannel('views').onmessage = ({ data }) => received.push(data)`)
    }
    await views[0]?.evaluate(`new BroadcastChannel('views').postMessage('hello')`)
    await expect.poll(() => views[0]?.evaluate('received')).toEqual(['hello'])
    expect(await views[1]?.evaluate('[received, document.cookie]')).toEqual([[], ''])
  })
})
