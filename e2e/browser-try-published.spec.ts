import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Locator, Page } from '@playwright/test'

import { expectNoFaults } from './fixtures/axe-faults'
import {
  approve,
  arrowTo,
  expectStatus,
  install,
  openServer,
  serverLink,
  setUp,
} from './fixtures/drive'
import { expect, test } from './fixtures/patchbay-test'
import { DOWNLOAD_LIMIT_MS } from './fixtures/published-servers'
import { part, rowOf } from './fixtures/traffic-page'
import { blockOf, openTool, resultOf, send } from './fixtures/trial-page'

test.describe.configure({ timeout: DOWNLOAD_LIMIT_MS })

/** More than any page here has stops. */
const MOST_STOPS = 80
const CHROMIUM = process.env.PATCHBAY_CHROMIUM ?? '/usr/bin/chromium'

/** Goes on with Tab, or with Shift+Tab, until `target` has the focus. */
async function tabTo(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(target).toBeVisible()
  const page = target.page()
  const focused = target.and(page.locator(':focus'))
  for (let stop = 0; stop < MOST_STOPS && (await focused.count()) === 0; stop += 1)
    await page.keyboard.press(key)
  await expect(target).toBeFocused()
}

/** The Playwright server of the starter catalog, with this computer's Chromium as its browser. */
function playwrightServer(outputs: string): object {
  type Entry = { readonly name: string; readonly packages: readonly object[] }
  const starters = JSON.parse(readFileSync('resources/starter-catalog.json', 'utf8')) as Entry[]
  const entry = starters.find(({ name }) => name.endsWith('/playwright-mcp'))
  const packageArguments = [
    { type: 'named', name: '--headless' },
    { type: 'named', name: '--isolated' },
    // Where tests run as root, Chromium starts no other way.
    { type: 'named', name: '--no-sandbox' },
    { type: 'named', name: '--executable-path', value: CHROMIUM },
    { type: 'named', name: '--output-dir', value: outputs },
  ]
  return { ...entry, packages: entry?.packages.map((one) => ({ ...one, packageArguments })) }
}

/** From the side bar to the form of create_entities of Memory, by keys alone. */
async function openByKeys(page: Page): Promise<void> {
  const { keyboard } = page
  // The focus begins where a page does.
  await page.reload()
  await tabTo(serverLink(page, 'Memory', 'Ready'))
  await keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Memory', level: 1 })).toBeVisible()
  await tabTo(page.getByRole('tab', { name: 'Overview' }))
  await keyboard.press('ArrowRight')
  await tabTo(page.getByRole('link', { name: 'Try it: create_entities', exact: true }))
  await keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'create_entities', level: 1 })).toBeVisible()
}

/** Fills in a list of objects with lists in them, sends it, and goes through what came back, by keys alone. */
async function callByKeys(page: Page): Promise<void> {
  const { keyboard } = page
  const field = (name: string): Locator => page.getByRole('textbox', { name, exact: true })
  await tabTo(page.getByRole('button', { name: 'Add entry to entities' }))
  await keyboard.press('Enter')
  // The new fields stand above the button.
  await tabTo(field('name'), 'Shift+Tab')
  await keyboard.type('Ann')
  await tabTo(field('entityType'))
  await keyboard.type('person')
  await tabTo(page.getByRole('button', { name: 'Add entry to observations' }))
  await keyboard.press('Enter')
  await expect(field('Entry 1')).toBeVisible()
  await keyboard.press('Control+Enter')
  await expect(field('Entry 1')).toBeFocused()
  await expect(page.getByText(/^Not sent\. entities\.0\.observations\.0: /u)).toBeVisible()
  await expectNoFaults(page, 'a form that is not filled in')
  await keyboard.type('lives by the sea')
  await keyboard.press('Control+Enter')
  await expect(resultOf(page)).toContainText('Matches the tool’s output schema.')

  await tabTo(resultOf(page).getByRole('radio', { name: 'Content' }))
  await arrowTo('ArrowRight', resultOf(page).getByRole('radio', { name: 'Structured' }))
  const tree = page.getByRole('tree', { name: 'Structured content' })
  await tabTo(tree)
  await keyboard.press('End')
  await expect(tree.locator('[aria-selected="true"]')).toContainText('lives by the sea')
  await expectNoFaults(page, 'a result with a tree')
}

/** What was tried and all that came before it stands in the traffic. */
async function expectTraffic(page: Page): Promise<void> {
  await openServer(page, 'Memory', 'Messages')
  for (const method of ['initialize', 'tools/list', 'resources/list', 'resources/read'])
    await expect(rowOf(page, new RegExp(`^${method}.*, result from the`, 'u'))).toBeVisible()
  await rowOf(page, 'tools/call create_entities, result from the server').click()
  await expect(part(page, 'Request')).toContainText('lives by the sea')
  await expect(part(page, 'Response')).toContainText('lives by the sea')
}

test.describe('D5: what published servers answer, as it is asked from forms', () => {
  test('Memory by keyboard alone, and a browser through Playwright', async ({
    app: { page },
    profileDir,
  }) => {
    await setUp(page, 'Memory')
    const file = page.getByRole('textbox', { name: /^Memory file/u })
    await file.fill(join(profileDir, 'memory.jsonl'))
    await approve(page)
    await install(page, playwrightServer(join(profileDir, 'pages')), 'Playwright')
    for (const name of ['Memory', 'Playwright'])
      await expectStatus(page, name, 'Ready', DOWNLOAD_LIMIT_MS)

    await test.step('Memory: from the side bar to a result and back', async () => {
      await openByKeys(page)
      await callByKeys(page)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('tab', { name: /^Tools/u, selected: true })).toBeVisible()
      await expect(page.getByRole('main')).toBeFocused()
      await tabTo(serverLink(page, 'Memory', 'Ready'), 'Shift+Tab')
    })
    await test.step('Memory: a resource of JSON, and the traffic of all that', async () => {
      await openServer(page, 'Memory', 'Resources')
      await page.getByRole('link', { name: 'Read Knowledge Graph' }).click()
      await send(page, 'Read')
      const tree = blockOf(page, 'Resource 1').getByRole('tree')
      await expect(tree).toContainText('lives by the sea')
      await expectNoFaults(page, 'a resource')
      await expectTraffic(page)
    })
    await test.step('Playwright: its tools, and a picture of a page of Debian’s Chromium', async () => {
      await openServer(page, 'Playwright', 'Tools')
      await expect(page.getByText(/^2\d of 2\d tools available to agents/u)).toBeVisible()
      // Further down than rows are drawn.
      await page.getByRole('searchbox', { name: 'Search tools' }).fill('browser_navigate')
      await page.getByRole('link', { name: 'Try it: browser_navigate', exact: true }).click()
      const address = page.getByRole('textbox', { name: 'url' })
      await address.fill('data:text/html,<title>Here</title>')
      await send(page)
      await expect(blockOf(page, 'Text 1')).toContainText('Page Title: Here')
      // The largest schema of all its tools.
      await openTool(page, 'Playwright', 'browser_take_screenshot')
      const scale = page.getByRole('combobox', { name: 'scale' })
      await expect(scale.locator('option:checked')).toHaveText('css')
      await page.getByRole('combobox', { name: 'type' }).selectOption('jpeg')
      await page.getByRole('radio', { name: 'Yes' }).click()
      await send(page)
      const picture = blockOf(page, 'Image 2')
      await expect(picture).toContainText('image/jpeg, 1,280 × 720 pixels')
      await expect(picture.getByRole('img')).not.toHaveJSProperty('naturalWidth', 0)
    })
  })
})
