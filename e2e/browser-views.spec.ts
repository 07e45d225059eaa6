import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { Frame, FrameLocator, Locator, Page } from '@playwright/test'

import { chooseTheme, expectStatus, install } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { expect, test } from './fixtures/patchbay-test'
import { callOnce, openTool, resultOf, triedRows, writeArguments } from './fixtures/trial-page'

test.use({ actionTimeout: 20_000 })

async function installViews(page: Page, name: string): Promise<void> {
  await install(page, fixtureServer('views.mjs'), name)
  await expectStatus(page, name, 'Ready')
}

async function openViewTab(page: Page, server: string, tool: string, args?: object): Promise<void> {
  await openTool(page, server, tool)
  await expect(page.getByText('This tool has an interactive view.')).toBeVisible()
  if (args) await writeArguments(page, JSON.stringify(args))
  await callOnce(page)
  await resultOf(page).getByRole('radio', { name: 'View', exact: true }).click()
}

const showView = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Show view' }).click()

/** The view's own document, within the frame around it. */
const viewOf = (page: Page): FrameLocator =>
  page.frameLocator('iframe[title="View"]').frameLocator('iframe')

/** What a page of the fixture shows under a name. */
const row = (page: Page, name: string): Locator => viewOf(page).locator(`[data-row="${name}"]`)

const press = (page: Page, name: string): Promise<void> =>
  viewOf(page).getByRole('button', { name, exact: true }).click()

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
      await expect(row(page, 'started')).toHaveText('started: yes')
      await expect(row(page, 'input')).toHaveText('input: {"word":"hello"}')
      await expect(row(page, 'result')).toHaveText('result: {"word":"hello"}')
      await expect(row(page, 'theme')).toHaveText('theme: light')
      await expect(row(page, 'capabilities')).toHaveText(
        'capabilities: logging openLinks sandbox serverResources serverTools',
      )
      await expect(row(page, 'context')).toHaveText(
        'context: availableDisplayModes containerDimensions displayMode locale theme timeZone',
      )
      await expect(page.getByText('Log of the view (1)')).toBeVisible()
      await expect(page.locator('iframe[title="View"]')).toHaveCSS('height', '420px')
      await page.screenshot({ path: 'test-results/views-light.png', fullPage: true })
    })
    await test.step('passes calls that only read', async () => {
      await press(page, 'Look')
      await expect(row(page, 'look')).toHaveText('look: Looked')
      await press(page, 'Read')
      await expect(row(page, 'read')).toHaveText('read: ui://views/blob')
      await press(page, 'Model')
      await expect(row(page, 'model')).toContainText('not available to views')
      await expect(page.getByRole('dialog')).toBeHidden()
    })
    const asked = page.getByRole('dialog', { name: 'Allow the view to call save?' })
    await test.step('asks before other calls, with the exact arguments', async () => {
      await press(page, 'Save')
      await expect(asked).toContainText('"value": "<b>7</b>"')
      await page.screenshot({ path: 'test-results/views-ask-light.png' })
      await asked.getByRole('button', { name: 'Deny' }).click()
      await expect(row(page, 'save')).toContainText('The user denied this.')
      await press(page, 'Save')
      await asked.getByRole('button', { name: 'Allow once' }).click()
      await expect(row(page, 'save')).toHaveText('save: Saved <b>7</b>')
      await press(page, 'Save')
      await asked.getByRole('button', { name: 'Allow for this view' }).click()
      await expect(asked).toBeHidden()
      await press(page, 'Save')
      await expect(row(page, 'save')).toHaveText('save: Saved <b>7</b>')
      await expect(asked).toBeHidden()
    })
    await test.step('asks before a link opens, and refuses others than https', async () => {
      await press(page, 'Bad link')
      await expect(row(page, 'bad-link')).toHaveText('bad-link: {"isError":true}')
      await press(page, 'Link')
      const link = page.getByRole('dialog', { name: 'Open this link in your browser?' })
      await expect(link).toContainText('https://example.com/page?a=1')
      await link.getByRole('button', { name: 'Cancel' }).click()
      await expect(row(page, 'link')).toHaveText('link: {"isError":true}')
    })
    await test.step('bounds the height, and follows the theme', async () => {
      await press(page, 'Tall')
      await expect(page.locator('iframe[title="View"]')).toHaveCSS('height', '800px')
      await page.evaluate(`document.documentElement.dataset.theme = 'dark'`)
      await expect(row(page, 'theme')).toHaveText('theme: dark')
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
      await expect(row(page, 'started')).toHaveText('started: yes')
      await expect(page.getByText('Log of the view (1)')).toBeVisible()
      await openViewTab(page, 'Views', 'old')
      await expect(row(page, 'started')).toHaveText('started: yes')
      await chooseTheme(page, 'dark')
      await openViewTab(page, 'Views', 'show')
      await expect(page.getByRole('button', { name: 'Show view' })).toBeVisible()
      await page.screenshot({ path: 'test-results/views-consent-dark.png' })
    })
  })

  test('can’t get out of their frame', { tag: '@gate' }, async ({ app: { page } }) => {
    const reached: string[] = []
    const peer = createServer(({ url = '' }, response) => {
      reached.push(url)
      response.setHeader('access-control-allow-origin', '*')
      response.end('reached')
    })
    await new Promise<void>((listening) => peer.listen(0, '127.0.0.1', listening))
    const { port } = peer.address() as AddressInfo
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await installViews(page, 'Hostile')
    const home = new URL(page.url()).origin
    const popups: string[] = []
    page.context().on('page', (popup) => popups.push(popup.url()))
    await openViewTab(page, 'Hostile', 'hostile', { page: home, peer: `http://127.0.0.1:${port}` })
    await showView(page)
    await expect(row(page, 'over')).toBeVisible()
    const rows = await viewOf(page).locator('[data-row]').allTextContents()
    expect(rows.toSorted()).toEqual(
      [
        'bridge',
        'camera',
        'clipboard',
        'event source',
        'fetch of a peer',
        'fetch of the page',
        'frame storage',
        'image',
        'method of the host',
        'opaque fetch of the page',
        'parent document',
        'place',
        'popup',
        'prefetch',
        'request of a peer',
        'script',
        'service worker',
        'socket of the page',
        'style',
        'tool for models',
        'top document',
        'worker elsewhere',
      ]
        .map((name) => `${name}: blocked`)
        .concat('over: yes')
        .toSorted(),
    )
    // Acts without an answer: beacon, form, nested frame, top and parent navigation.
    expect(reached).toEqual([])
    expect(popups).toEqual([])
    expect(new URL(page.url()).origin).toBe(home)
    await expect(page.getByRole('dialog')).toBeHidden()
    await openTool(page, 'Hostile', 'save')
    await expect(triedRows(page)).toHaveCount(0)
    peer.closeAllConnections()
    peer.close()
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
    await expect(row(page, 'started')).toBeVisible()
    const [first] = viewFrames(page)
    const address = new URL(first?.url() ?? '').origin
    await openViewTab(page, 'Views', 'show')
    await showView(page)
    await expect(row(page, 'started')).toBeVisible()
    const [second] = viewFrames(page)
    expect(new URL(second?.url() ?? '').origin).not.toBe(address)
  })
})
