import { followRegistry, goTo } from './fixtures/drive'
import { manyServers } from './fixtures/listed-servers'
import { startLocalRegistry } from './fixtures/local-registry'
import { expect, test } from './fixtures/patchbay-test'

test.describe('D2: the first sync of the registry', () => {
  test('shows its progress, is stopped, and resumes', async ({ app: { page } }) => {
    await using registry = await startLocalRegistry(manyServers(450))
    registry.misbehave('hang', { after: 3 })
    await followRegistry(page, registry.url)
    await goTo(page, 'Catalog')
    await expect(page.getByText(/^Syncing 127\.0\.0\.1:\d+/u)).toBeVisible()
    const banner = page.getByRole('status').filter({ hasText: 'Syncing' })
    await expect(page.getByText(/3 pages, 300 entries/u)).toBeVisible()
    await expect(banner).not.toContainText('pages')
    // Servers received so far can be searched.
    await page.getByRole('searchbox', { name: 'Search catalog' }).fill('server-0123')
    await expect(page.getByRole('button', { name: 'server-0123', exact: true })).toBeVisible()
    await banner.getByRole('button', { name: 'Stop' }).click()
    await expect(page.getByText('Sync incomplete')).toBeVisible()

    registry.misbehave('ok')
    const before = registry.requests.length
    await page.getByRole('button', { name: 'Sync now' }).click()
    await expect(page.getByText('464 servers, updated just now')).toBeVisible()
    // The open details ask for versions in between.
    const pages = registry.requests.slice(before).filter((path) => !path.endsWith('/versions'))
    expect(pages[0]).toContain('cursor=')
  })

  test('resumes after the app was killed', async ({ openApp }) => {
    await using registry = await startLocalRegistry(manyServers(450))
    registry.misbehave('hang', { after: 2 })
    const first = await openApp()
    await followRegistry(first.page, registry.url)
    await goTo(first.page, 'Catalog')
    await expect(first.page.getByText(/2 pages, 200 entries/u).first()).toBeVisible()
    process.kill(first.pid, 'SIGKILL')
    await first.close()

    registry.misbehave('ok')
    const requestCount = registry.requests.length
    const { page } = await openApp()
    await goTo(page, 'Catalog')
    await expect(page.getByText('Sync incomplete')).toBeVisible()
    await page.getByRole('button', { name: 'Sync now' }).click()
    await expect(page.getByText('464 servers, updated just now')).toBeVisible()
    expect(registry.requests[requestCount]).toContain('cursor=')
  })
})
