import type { Page } from '@playwright/test'

import { openCatalogOf } from './fixtures/drive'
import { listedServer, manyServers } from './fixtures/listed-servers'
import { startLocalRegistry } from './fixtures/local-registry'
import { expect, test } from './fixtures/patchbay-test'

/** Scroll offset of the list, in px. */
function scrolledOf(page: Page): Promise<number> {
  return page.evaluate<number>("document.querySelector('.results-scroll').scrollTop")
}

/** The offset once it is stable: measuring rows scrolls a little. */
async function restingAt(page: Page): Promise<number> {
  const seen = [-1]
  await expect
    .poll(async () => {
      seen.push(await scrolledOf(page))
      return seen.at(-1) === seen.at(-2)
    })
    .toBe(true)
  return seen.at(-1) ?? 0
}

test.describe('D2: the catalog by keyboard', () => {
  test('leads from the search into the list, to a form, and back to the same card', async ({
    app: { page },
  }) => {
    await using registry = await startLocalRegistry(manyServers(240))
    await openCatalogOf(page, registry.url, 254)
    const sent: string[] = []
    page.on('websocket', (socket) =>
      socket.on('framesent', ({ payload }) => sent.push(payload.toString())),
    )
    await page.reload()
    await expect(page.getByText('254 servers, updated just now')).toBeVisible()
    await page.keyboard.press('/')
    // The search thread is awake before the first letter.
    await expect.poll(() => sent.join()).toContain('catalog.prepareSearch')
    const search = page.getByRole('searchbox', { name: 'Search catalog' })
    await expect(search).toBeFocused()
    await page.keyboard.type('org.example')
    await expect(page.getByText('240 found')).toBeVisible()
    const cards = page.getByRole('list', { name: 'Servers' }).getByRole('button')
    await expect(cards.first()).toHaveText('server-0000')
    await page.keyboard.press('ArrowDown')
    await expect(cards.first()).toBeFocused()
    const left = page.locator('.card-hit:focus')
    // Each key waits for the previous card, because a slow page would skip some.
    for (let step = 1; step <= 40; step += 1) {
      await page.keyboard.press('ArrowRight')
      await expect(left).toHaveText(`server-${String(step).padStart(4, '0')}`)
    }
    const scrolled = await restingAt(page)
    expect(scrolled).toBeGreaterThan(0)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: /^Set up/u })).toBeVisible()
    await expect(page.getByRole('main')).toBeFocused()

    await page.keyboard.press('Escape')
    await expect(search).toHaveValue('org.example')
    await expect(page.locator('.card-hit:focus')).toHaveText('server-0040')
    await expect.poll(() => scrolledOf(page)).toBe(scrolled)
    await page.keyboard.press('ArrowRight')
    await expect(page.locator('.card-hit:focus')).toHaveText('server-0041')
  })

  test('leads from the search into the list, even if a removed server was selected far down', async ({
    app: { page },
  }) => {
    await using registry = await startLocalRegistry(manyServers(240))
    await openCatalogOf(page, registry.url, 254)
    const search = page.getByRole('searchbox', { name: 'Search catalog' })
    await search.fill('org.example')
    await expect(page.getByText('240 found')).toBeVisible()
    await search.press('ArrowDown')
    await page.keyboard.press('End')
    const focused = page.locator('.card-hit:focus')
    await expect(focused).toHaveText('server-0239')
    const last = page.getByRole('complementary', { name: 'server-0239', exact: true })
    await expect(last.getByRole('list', { name: 'Versions' })).toBeVisible()

    const dropped = { name: 'org.example/server-0239', status: 'deleted' } as const
    registry.entries.splice(
      -1,
      1,
      listedServer({ ...dropped, updatedAt: new Date().toISOString() }),
    )
    await page.getByRole('button', { name: 'Sync catalog' }).click()
    const messages = page.getByRole('region', { name: /^Messages/u })
    await expect(messages).toContainText('org.example/server-0239 is no longer listed.')
    await expect(
      page.getByRole('complementary', { name: 'server-0000', exact: true }),
    ).toBeVisible()
    await expect(page.getByText('239 found')).toBeVisible()
    // The message never covers the buttons, and is visible if they aren't.
    const message = messages.locator('.toast')
    const foot = await page.locator('.detail-foot').boundingBox()
    const endOf = async () => {
      const box = await message.boundingBox()
      return (box?.y ?? Infinity) + (box?.height ?? 0)
    }
    await expect.poll(endOf).toBeLessThan(foot?.y ?? 0)
    await page.setViewportSize({ width: 650, height: 800 })
    await expect(message).toBeInViewport({ ratio: 1 })
    // The first card is far above the rendered ones.
    await expect(page.locator('.card-hit[tabindex="0"]')).toHaveCount(1)
    await search.press('ArrowDown')
    await expect(focused).toBeInViewport()
  })
})
