import type { Frame, Page } from '@playwright/test'

import { chooseTheme } from './fixtures/drive'
import { expect, test } from './fixtures/patchbay-test'
import { openTool, resultOf, triedRows } from './fixtures/trial-page'
import {
  expectAllBlocked,
  installViews,
  openPeer,
  openViewTab,
  press,
  rowOf,
  showView,
  viewFrame,
  viewOf,
} from './fixtures/view-page'

test.use({ actionTimeout: 20_000 })

const viewFrames = (page: Page): Frame[] =>
  page.frames().filter((frame) => /^http:\/\/v[\da-f]{16}\.localhost:/u.test(frame.url()))

test.describe('E13 views', () => {
  test('are shown once the user agrees', async ({ app: { page } }) => {
    await installViews(page, 'Views')

    await test.step('says what it loads, and draws nothing before the user agrees', async () => {
      await openViewTab(page, 'Views', 'show', { word: 'hello' })
      const consent = page.getByRole('region', { name: 'Show the view?' })
      await expect(consent).toContainText(
        'It can load from *.cdn.example.com and api.example.com and call this server’s tools.',
      )
      await expect(consent).toContainText('Ignored')
      await expect(consent).toContainText("'unsafe-eval'")
      expect(page.frames()).toHaveLength(1)
    })
    await test.step('gives the view its input, result and context', async () => {
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
      await page.screenshot({ path: 'test-results/views-light.png', fullPage: true })
    })
    await test.step('passes calls that only read', async () => {
      await press(page, 'Look')
      await expect(rowOf(page, 'look')).toHaveText('look: Looked')
      await press(page, 'Read')
      await expect(rowOf(page, 'read')).toHaveText('read: ui://views/blob')
      await press(page, 'Model')
      await expect(rowOf(page, 'model')).toContainText('not available to views')
      await expect(page.getByRole('dialog')).toBeHidden()
    })
    const asked = page.getByRole('dialog', { name: 'Allow the view to call save?' })
    await test.step('asks before other calls, with the exact arguments', async () => {
      await press(page, 'Save')
      await expect(asked).toContainText('"value": "<b>7</b>"')
      await page.screenshot({ path: 'test-results/views-ask-light.png' })
      await asked.getByRole('button', { name: 'Deny' }).click()
      await expect(rowOf(page, 'save')).toContainText('The user denied this.')
      await press(page, 'Save')
      await asked.getByRole('button', { name: 'Allow once' }).click()
      await expect(rowOf(page, 'save')).toHaveText('save: Saved <b>7</b>')
      await press(page, 'Save')
      await asked.getByRole('button', { name: 'Allow for this view' }).click()
      await expect(asked).toBeHidden()
      await press(page, 'Save')
      await expect(rowOf(page, 'save')).toHaveText('save: Saved <b>7</b>')
      await expect(asked).toBeHidden()
    })
    await test.step('asks before a link opens, and refuses others than https', async () => {
      await press(page, 'Bad link')
      await expect(rowOf(page, 'bad-link')).toHaveText('bad-link: {"isError":true}')
      await press(page, 'Link')
      const link = page.getByRole('dialog', { name: 'Open this link in your browser?' })
      await expect(link).toContainText('https://example.com/page?a=1')
      await link.getByRole('button', { name: 'Cancel' }).click()
      await expect(rowOf(page, 'link')).toHaveText('link: {"isError":true}')
    })
    await test.step('bounds the height, and follows the theme', async () => {
      await press(page, 'Tall')
      await expect(viewFrame(page)).toHaveCSS('height', '800px')
      await page.evaluate(`document.documentElement.dataset.theme = 'dark'`)
      await expect(rowOf(page, 'theme')).toHaveText('theme: dark')
      await page.screenshot({ path: 'test-results/views-dark.png', fullPage: true })
    })
    await test.step('lets the view end its work, and closes it', async () => {
      await page.getByRole('button', { name: 'Close view' }).click()
      await expect(page.locator('iframe')).toHaveCount(0)
      await expect(resultOf(page)).toContainText('Shown hello')
    })
    await test.step('marks the calls of a view', async () => {
      await openTool(page, 'Views', 'save')
      await expect(triedRows(page)).toHaveCount(3)
      await expect(triedRows(page).first()).toContainText('View')
    })
    await test.step('opens views of a server without a question once that is chosen', async () => {
      await openViewTab(page, 'Views', 'old')
      await page.getByRole('button', { name: 'Always for this server' }).click()
      await expect(rowOf(page, 'started')).toHaveText('started: yes')
      await expect(page.getByText('Log of the view (1)')).toBeVisible()
      await openViewTab(page, 'Views', 'old')
      await expect(rowOf(page, 'started')).toHaveText('started: yes')
      await chooseTheme(page, 'dark')
      await openViewTab(page, 'Views', 'show')
      await expect(page.getByRole('button', { name: 'Show view' })).toBeVisible()
      await page.screenshot({ path: 'test-results/views-consent-dark.png' })
    })
  })

  test('can’t get out of their frame', { tag: '@gate' }, async ({ app: { page } }) => {
    await using peer = await openPeer()
    await installViews(page, 'Hostile')
    const home = new URL(page.url()).origin
    const popups: string[] = []
    page.context().on('page', (popup) => popups.push(popup.url()))
    await openViewTab(page, 'Hostile', 'hostile', { page: home, peer: peer.address })
    await showView(page)
    await expectAllBlocked(page)
    // Acts without an answer: beacon, ping, form, nested frame, top and parent navigation.
    expect(peer.reached).toEqual([])
    expect(popups).toEqual([])
    expect(new URL(page.url()).origin).toBe(home)
    await expect(page.getByRole('dialog')).toBeHidden()
    await openTool(page, 'Hostile', 'save')
    await expect(triedRows(page)).toHaveCount(0)
  })

  test('are closed when they go elsewhere, and say when they don’t start', async ({
    app: { page },
  }) => {
    await installViews(page, 'Views')
    await openViewTab(page, 'Views', 'leaves')
    const requests: string[] = []
    page.on('requestfinished', (request) => requests.push(request.url()))
    await showView(page)
    await expect(page.getByText(/tried to open another page\. That was blocked/u)).toBeVisible()
    await expect(page.locator('iframe')).toHaveCount(0)
    expect(requests.filter((url) => url.includes('example.com'))).toEqual([])
    await openViewTab(page, 'Views', 'mute')
    await showView(page)
    await expect(
      page.getByText('The view didn’t start. Result shows the same data as text.'),
    ).toBeVisible()
  })

  test('have an origin of their own each', async ({ app: { page } }) => {
    await installViews(page, 'Views')
    await openViewTab(page, 'Views', 'old')
    await showView(page)
    await expect(rowOf(page, 'started')).toBeVisible()
    const [first] = viewFrames(page)
    const address = new URL(first?.url() ?? '').origin
    await openViewTab(page, 'Views', 'show')
    await showView(page)
    await expect(rowOf(page, 'started')).toBeVisible()
    const [second] = viewFrames(page)
    expect(new URL(second?.url() ?? '').origin).not.toBe(address)
  })
})
