import type { Locator, Page } from '@playwright/test'

import { goTo, install, openSettings } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { expect, test } from './fixtures/patchbay-test'

/** Scroll offset of a page's region. */
function scrolled(page: Page): Promise<number> {
  return page.evaluate<number>("document.querySelector('[data-page-body]')?.scrollTop ?? -1")
}

/** A link's distance from the top of the window, in px. */
async function fromTop(link: Locator): Promise<number> {
  return (await link.boundingBox())?.y ?? -1
}

test.describe('D4: a user who returns to a page', () => {
  test('finds its scroll position and the followed link in focus', async ({ app: { page } }) => {
    await openSettings(page, 'Advanced')
    const link = page.getByRole('link', { name: 'Remove everything…' })
    await link.focus()
    expect(await scrolled(page)).toBeGreaterThan(100)
    const stood = await fromTop(link)
    await link.press('Enter')
    await expect(page.getByRole('heading', { name: 'Remove everything', level: 1 })).toBeVisible()
    await page.keyboard.press('Alt+ArrowLeft')
    await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
    await expect(link).toBeFocused()
    await expect.poll(async () => Math.abs((await fromTop(link)) - stood)).toBeLessThan(2)

    // A new visit begins at the top.
    await goTo(page, 'Home')
    await openSettings(page, 'Advanced')
    expect(await scrolled(page)).toBe(0)
    await expect(link).not.toBeFocused()
  })

  test('finds the server list as filtered, after entering it by an arrow key', async ({
    app: { page },
  }) => {
    for (const name of ['Ash', 'Birch', 'Cedar', 'Elm', 'Fir', 'Oak'])
      await install(page, fixtureServer('plain.mjs'), name)
    await goTo(page, 'Servers')
    const search = page.getByRole('searchbox', { name: 'Search servers' })
    await search.fill('cedar')
    const rows = page.getByRole('checkbox', { name: /^Select /u })
    await expect(rows).toHaveCount(1)
    await search.press('ArrowDown')
    const cedar = page.getByRole('main').getByRole('link', { name: 'Cedar', exact: true })
    await expect(cedar).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Cedar', level: 1 })).toBeVisible()
    await page.keyboard.press('Alt+ArrowLeft')
    await expect(search).toHaveValue('cedar')
    await expect(rows).toHaveCount(1)
    await expect(cedar).toBeFocused()
  })
})
