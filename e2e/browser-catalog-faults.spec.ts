import { openCatalogOf } from './fixtures/drive'
import { holdRequests, refuseRequests } from './fixtures/hold-requests'
import { manyServers } from './fixtures/listed-servers'
import { startLocalRegistry } from './fixtures/local-registry'
import { expect, test } from './fixtures/patchbay-test'

test.describe("D2: a catalog that doesn't answer", () => {
  test('shows its progress and error, keeps earlier results, and asks again', async ({
    app: { page },
  }) => {
    await using registry = await startLocalRegistry(manyServers(240))
    await openCatalogOf(page, registry.url, 254)
    const held = await holdRequests(page, 'catalog.query')
    await expect(page.getByRole('status', { name: 'Loading catalog' })).toBeVisible()
    held.goOn()
    const list = page.getByRole('list', { name: 'Servers' })
    await expect(list.getByRole('button').first()).toBeVisible()

    // While the runners are unknown, the query stays the same.
    const line = await refuseRequests(page, 'catalog.query', 'runner.find')
    const alert = page.getByRole('alert')
    const again = alert.getByRole('button', { name: 'Try again' })
    await expect(alert).toContainText('It was refused.')
    line.refuse('catalog.detail', 'runner.find')
    await again.click()
    // The list has loaded, and the filters failed.
    await expect(list.getByRole('button').first()).toBeVisible()
    await expect(page.getByRole('complementary').getByRole('alert')).toContainText(
      'It was refused.',
    )
    line.refuse()
    await again.click()
    await expect(page.getByRole('complementary').getByText('Before you install')).toBeVisible()
    await expect(alert).toHaveCount(0)

    await page.evaluate("document.querySelector('.cards').dataset.isKept = ''")
    const search = page.getByRole('searchbox', { name: 'Search catalog' })
    line.refuse('catalog.query')
    await search.fill('server-0123')
    await expect(alert).toContainText('It was refused. Showing earlier results.')
    await expect(list.getByRole('button').first()).toBeVisible()
    await expect(page.getByText(/\d+ found/u)).toBeHidden()
    line.refuse()
    await again.click()
    await expect(list.getByRole('listitem').first()).toContainText('server-0123')
    await expect(page.getByText(/\d+ found/u)).toBeVisible()
    await expect(alert).toHaveCount(0)
    // The same list: its focus stays.
    await expect(list).toHaveAttribute('data-is-kept', '')

    await search.fill('9q8w7e6r5t')
    await expect(page.getByText('No results for “9q8w7e6r5t”')).toBeVisible()
    line.refuse('catalog.query')
    await search.fill('server-0007')
    await expect(again).toBeVisible()
    await expect(page.getByText('No results for')).toBeHidden()
    line.refuse()
    await again.click()
    await expect(list.getByRole('listitem').first()).toContainText('server-0007')
  })

  test('retries a failed page in place', async ({ app: { page } }) => {
    await using registry = await startLocalRegistry(manyServers(240))
    await openCatalogOf(page, registry.url, 254)
    const line = await refuseRequests(page)
    const list = page.getByRole('list', { name: 'Servers' })
    await list.getByRole('button').first().focus()
    line.refuse('catalog.query')
    await page.keyboard.press('End')
    const again = list.getByRole('button', { name: 'Try again' })
    await expect(again.last()).toBeFocused()
    line.refuse()
    await page.keyboard.press('Enter')
    await expect(again).toHaveCount(0)
    const last = list.getByRole('listitem').last()
    await expect(last.getByRole('button')).toBeFocused()
    await expect(last).toHaveAttribute('aria-posinset', '254')
  })
})
