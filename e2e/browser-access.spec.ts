import { expectStatus, install } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { expect, test } from './fixtures/patchbay-test'
import { launchServe } from './ways-in/browser'

test.describe('D7: the browser way in', () => {
  test('shows and does nothing without its token, and a link works once', async ({
    browser,
    profileDir,
  }) => {
    const served = await launchServe({ profileDir })
    const origin = new URL(served.link).origin
    const stranger = await (await browser.newContext()).newPage()
    await stranger.goto(origin)
    await expect(stranger.getByText(/from its link/iu).first()).toBeVisible()
    await expect(stranger.getByRole('navigation')).toHaveCount(0)

    const owner = await (await browser.newContext()).newPage()
    await owner.goto(served.link)
    await expect(owner.getByRole('navigation', { name: 'Main' })).toBeVisible()
    expect(owner.url()).not.toContain('token')
    await owner.reload()
    await expect(owner.getByRole('navigation', { name: 'Main' })).toBeVisible()

    await stranger.goto('about:blank')
    await stranger.goto(served.link)
    await expect(stranger.getByText(/from its link/iu).first()).toBeVisible()

    // A second command on the same profile finds the first and brings a new link.
    const link = await served.anotherLink()
    expect(new URL(link).origin).toBe(origin)
    await stranger.goto('about:blank')
    await stranger.goto(link)
    await expect(stranger.getByRole('navigation', { name: 'Main' })).toBeVisible()
    expect(await served.close()).toBe(0)
  })

  test('connects again by itself and shows what happened meanwhile', async ({ app: { page } }) => {
    await install(page, fixtureServer('plain.mjs'), 'Plain')
    await expectStatus(page, 'Plain', 'Ready')
    await page.context().setOffline(true)
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)))
    await page.context().setOffline(false)
    await expectStatus(page, 'Plain', 'Ready')
  })
})
