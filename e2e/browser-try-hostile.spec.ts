import { readFileSync } from 'node:fs'

import type { Page } from '@playwright/test'

import { expectNoFaults } from './fixtures/axe-faults'
import { installReady } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { serveHttp } from './fixtures/loopback'
import { expect, test } from './fixtures/patchbay-test'
import { blockOf, callTool, resultOf } from './fixtures/tool-run-page'

/** A local server that must never get a request. */
const inert = test.extend<{ trap: { readonly origin: string; readonly requests: string[] } }>({
  trap: async ({}, use) => {
    const requests: string[] = []
    await using server = await serveHttp(({ url = '' }, response) => {
      requests.push(url)
      response.end('caught')
    })
    await use({ origin: server.address, requests })
  },
})

/** The page's requests to other origins, and its dialogs. */
function watchPage(page: Page): string[] {
  const seen: string[] = []
  const own = new URL(page.url()).host
  page.on('dialog', (dialog) => {
    seen.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    const url = request.url()
    if (new URL(url).host !== own && !/^(?:data|blob):/u.test(url)) seen.push(url)
  })
  page.on('popup', (popup) => seen.push(`window ${popup.url()}`))
  return seen
}

async function shape(page: Page, block: string, name: 'Text' | 'Markdown' | 'JSON'): Promise<void> {
  await blockOf(page, block).getByRole('radio', { name, exact: true }).click()
}

/** A result of up to 1 MB is a tree to search, copy and save; a larger one is text. */
async function goThroughLarge(page: Page): Promise<void> {
  await callTool(page, 'Hostile', 'long')
  const tree = page.getByRole('tree', { name: 'Structured content' })
  const current = tree.locator('[aria-selected="true"]')
  await expect(tree.getByRole('treeitem', { name: /rows/u })).toContainText('[5,000]')
  await expect(tree.getByRole('treeitem', { name: /exact/u })).toContainText('12345678901234567890')

  const search = page.getByRole('searchbox', { name: 'Search in Structured content' })
  await search.fill('needle')
  await expect(current).toContainText('"the needle is here"')
  await expect(page.getByText('1 of 1', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Copy path' }).click()
  await expect
    .poll(() => page.evaluate('navigator.clipboard.readText()'))
    .toBe('/structuredContent/rows/4321/text')

  // The rest by keyboard alone.
  await search.press('ArrowDown')
  await expect(current).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(current).toContainText('4321')
  await page.keyboard.press('Control+c')
  await expect
    .poll(() => page.evaluate('navigator.clipboard.readText()'))
    .toContain('"name": "row number 4321"')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await expect(current).toContainText('rows')
  await page.keyboard.press('ArrowLeft')
  await expect(current).toHaveAttribute('aria-expanded', 'false')
  await page.keyboard.press('ArrowRight')
  await expect(current).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('End')
  await expect(current).toHaveAttribute('aria-posinset', '5000')
  await expect(current).toHaveAttribute('aria-level', '3')
  await page.keyboard.press('Home')
  await expect(current).toHaveAttribute('aria-level', '1')
  await page.keyboard.type('ex')
  await expect(current).toContainText('exact')
  await page
    .getByRole('radiogroup', { name: 'View of Structured content' })
    .getByRole('radio', { name: 'Text' })
    .click()
  await expect(page.getByRole('region', { name: 'Structured content' })).toContainText(
    '"exact": 12345678901234567890',
  )

  await callTool(page, 'Hostile', 'large')
  await resultOf(page).getByRole('radio', { name: 'JSON', exact: true }).click()
  await expect(resultOf(page)).toContainText('is too large for a tree, shown as text.')
  await expect(page.getByText('Showing the first 200,000 characters.')).toBeVisible()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save to file' }).click()
  const text = readFileSync(await (await saved).path(), 'utf8')
  expect(text.length).toBeGreaterThan(9_000_000)
  expect(text).toContain('"exact":12345678901234567890')
}

inert.describe(
  'D5: results that try to be more than data (CVE-2025-47777, CVE-2025-68669, CVE-2026-22792, CVE-2026-22793)',
  () => {
    inert('stay inert, whatever is in them', async ({ app: { page }, trap }) => {
      await installReady(
        page,
        fixtureServer('hostile-results.mjs', { args: [trap.origin] }),
        'Hostile',
      )
      const seen = watchPage(page)
      await callTool(page, 'Hostile', 'hostile')

      await expect(blockOf(page, 'Text 1')).toContainText(`<script>alert('script')</script>`)
      await expect(blockOf(page, 'Text 3')).toContainText('pay <U+202E>001<U+202C> to <U+200B>me')
      await expect(blockOf(page, 'Text 3')).toContainText('<U+001B>[31mred')
      await expect(blockOf(page, 'Image 4')).toContainText('SVG images aren’t shown')
      await expect(blockOf(page, 'Image 5')).toContainText('the Base64 is invalid')
      await expect(blockOf(page, 'Image 6')).toContainText('Can’t read its size')
      await expect(blockOf(page, 'Image 7')).toContainText('too large to show')
      await expect(blockOf(page, 'Audio 8')).toContainText('audio/wav, 844 bytes')
      await expect(blockOf(page, 'Audio 8').getByLabel('Audio 8')).toHaveJSProperty('paused', true)
      await expect(blockOf(page, 'Resource link 9')).toContainText('li<U+202E>nk')
      await expect(blockOf(page, 'Resource 10')).toContainText('<iframe src=')
      await expect(blockOf(page, 'Resource 11')).toContainText('application/x-msdownload')
      await expect(blockOf(page, 'Other content 12').getByRole('tree')).toContainText('hologram')
      expect(
        await resultOf(page).locator('img, svg image, iframe, script, [onclick]').count(),
      ).toBe(0)

      const saved = page.waitForEvent('download')
      await blockOf(page, 'Resource 11').getByRole('button', { name: 'Save to file' }).click()
      const download = await saved
      expect(download.suggestedFilename()).toMatch(/^run-[\dT-]+\.bin$/u)
      expect(readFileSync(await download.path(), 'latin1')).toBe('MZ')

      await shape(page, 'Text 2', 'Markdown')
      const markdown = blockOf(page, 'Text 2').getByRole('region', { name: 'Text 2' })
      await expect(markdown.getByRole('heading', { name: 'Hello' })).toBeVisible()
      await expect(markdown).toContainText(`Image: a picture (${trap.origin}/markdown.png)`)
      await expect(markdown).toContainText(`run (javascript:alert('markdown'))`)
      await expect(markdown).toContainText('<b onclick=')
      expect(await markdown.locator('img, a, script, iframe, b').count()).toBe(0)
      await markdown.getByText('run', { exact: false }).first().click()
      await markdown.getByRole('button', { name: 'safe' }).click()
      const dialog = page.getByRole('dialog', { name: 'Open this link in your browser?' })
      await expect(dialog).toContainText('https://example.com/a')
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()

      await expectNoFaults(page, 'a result')

      await resultOf(page).getByRole('radio', { name: 'Structured' }).click()
      await expect(page.getByRole('tree', { name: 'Structured content' })).toContainText(
        '<b>key</b>',
      )
      await expect(page.getByRole('tree', { name: 'Structured content' })).toContainText(
        '__proto__',
      )

      await callTool(page, 'Hostile', 'failing')
      await expect(resultOf(page)).toContainText('Tool error')
      await expect(blockOf(page, 'Text 1')).toContainText('It <b>failed</b>.')

      await callTool(page, 'Hostile', 'misfit')
      await expect(resultOf(page)).toContainText('Doesn’t match the tool’s output schema.')
      const against = page.getByRole('list', { name: 'Output schema problems' })
      await expect(against.getByRole('listitem')).toHaveText([/^\/<b>count /u])
      const dot = blockOf(page, 'Resource 1')
      await expect(dot).toContainText('image/png, 1 × 1 pixels')
      await expect(dot.getByRole('img')).toHaveJSProperty('naturalWidth', 1)

      await callTool(page, 'Hostile', 'slow')
      const slow = blockOf(page, 'Text 1')
      await slow.getByRole('button', { name: 'Show more' }).click()
      await expect(slow.getByRole('button', { name: 'Show more' })).toBeHidden()
      await shape(page, 'Text 1', 'Markdown')
      await expect(slow).toContainText('Too much Markdown to render')
      await expect(slow.getByRole('region', { name: 'Text 1' })).toContainText('_*_*_*')
      await shape(page, 'Text 2', 'Markdown')
      await expect(blockOf(page, 'Text 2')).toContainText('nested too deeply')

      await callTool(page, 'Hostile', 'huge')
      const huge = blockOf(page, 'Text 1')
      await expect(huge).toContainText('Showing 20,000 of 500,000 characters.')
      await huge.getByRole('button', { name: 'Show more' }).click()
      await expect(huge).toContainText('Showing 200,000 of 500,000 characters. Save')
      expect((await huge.getByRole('region').innerText()).length).toBeLessThan(60_000)

      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await inert.step('and long ones are gone through', () => goThroughLarge(page))

      expect(seen).toEqual([])
      expect(trap.requests).toEqual([])
      // Any attempt would be recorded, even one blocked by the page's policy.
      await page.evaluate(`new Image().src = ${JSON.stringify(`${trap.origin}/control.png`)}`)
      await page.evaluate(`alert('control')`)
      await expect.poll(() => seen).toEqual([`${trap.origin}/control.png`, 'dialog control'])
      expect(trap.requests).toEqual([])
    })
  },
)
