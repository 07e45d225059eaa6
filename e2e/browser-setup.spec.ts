import { goTo } from './fixtures/drive'
import { HostHome } from './fixtures/host-files'
import { expect, test } from './fixtures/patchbay-test'

test.use({ settings: { setup: 'auto' } })

test.describe('D6 the setup guide', () => {
  test(
    'offers servers that need no value, can be skipped, and opens again from the palette',
    { tag: '@gate' },
    async ({ openApp }) => {
      using home = new HostHome()
      const { page } = await openApp({ env: home.env })
      const main = page.getByRole('main')
      await expect(main.getByRole('heading', { level: 2 })).toHaveText(
        'Add servers once, use them in every app',
      )
      for (const name of ['Memory', 'Sequential thinking', 'Context7'])
        await expect(main.getByRole('link', { name: `Add ${name}` })).toBeVisible()
      await page.getByRole('button', { name: 'Skip setup' }).click()
      await expect(main.getByText('No servers yet')).toBeVisible()
      await page.reload()
      await expect(main.getByText('No servers yet')).toBeVisible()
      await page.keyboard.press('Control+k')
      await page.keyboard.type('setup guide')
      await page.keyboard.press('Enter')
      await main.getByRole('link', { name: 'Add Memory' }).click()
      await expect(page.getByRole('heading', { name: 'Set up Memory', level: 1 })).toBeVisible()
      await goTo(page, 'Home')
      await expect(page.getByRole('button', { name: 'Skip setup' })).toBeVisible()
    },
  )
})
