import { join } from 'node:path'

import { goTo } from './fixtures/drive'
import { freePort } from './fixtures/free-port'
import { HomeWithApps } from './fixtures/home-with-apps'
import { expect, test } from './fixtures/patchbay-test'

const SERVERS = join(import.meta.dirname, 'servers')

test.use({ settings: async ({}, use) => use({ setup: 'auto', gatewayPort: await freePort() }) })

test.describe('D6: the setup guide', () => {
  test(
    'offers servers without required values, can be skipped, and reopens from the palette',
    { tag: '@gate' },
    async ({ openApp }) => {
      using home = new HomeWithApps()
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
      await page.getByRole('combobox').fill('setup guide')
      await page.getByRole('option', { name: 'Open setup guide' }).click()
      await main.getByRole('link', { name: 'Add Memory' }).click()
      await expect(page.getByRole('heading', { name: 'Set up Memory', level: 1 })).toBeVisible()
      await goTo(page, 'Home')
      await expect(page.getByRole('button', { name: 'Skip setup' })).toBeVisible()
    },
  )

  test(
    "leads from an app's servers to a connected app in three clicks",
    { tag: '@gate' },
    async ({ openApp }) => {
      using home = new HomeWithApps()
      const plain = { command: process.execPath, args: [join(SERVERS, 'plain.mjs')] }
      const keyed = { command: process.execPath, args: [join(SERVERS, 'keyed.mjs')] }
      const env = { API_KEY: 'correct-horse-battery-staple' }
      const servers = { plain, keyed: { ...keyed, env } }
      home.write('cursor', `${JSON.stringify({ mcpServers: servers }, null, 2)}\n`)
      const { page } = await openApp({ env: home.env })
      const main = page.getByRole('main')
      const found = main.getByRole('table', { name: 'Servers found in your apps' })
      await expect(found.getByRole('row', { name: /^keyed .*API_KEY to keychain/u })).toBeVisible()

      home.write('claudeDesktop', '{ "mcpServers": {} }\n')
      await page.reload()
      const path = main.getByRole('group', { name: 'Connection overview' })
      await expect(path).toContainText('Your servers2 found')
      await expect(path).toContainText('Your apps2 found')
      await main.getByRole('link', { name: 'Import 2 servers from Cursor' }).click()
      await expect(main).toContainText('API_KEY=')
      await expect(main).not.toContainText('correct-horse')
      await main.getByRole('button', { name: 'Approve 2 servers' }).click()
      await expect(main.getByText('plain and keyed are ready.')).toBeVisible()
      await expect(main.getByText('"patchbay": {')).toBeVisible()
      // On by default if a keychain keeps the removed secrets.
      const duplicates = main.getByRole('checkbox', {
        name: 'Remove the 2 servers that Patchbay now provides',
      })
      await expect(duplicates).not.toBeChecked()
      await duplicates.check()
      await expect(main.getByText('and removes 2 servers')).toBeVisible()
      await main.getByRole('button', { name: 'Connect Cursor' }).click()

      await expect(main.getByRole('heading', { level: 2 })).toHaveText('Cursor sees 2 tools')
      await expect(main.getByRole('status')).toHaveText('Sees 2 tools')
      const { mcpServers } = JSON.parse(home.read('cursor')) as { mcpServers: object }
      expect(Object.keys(mcpServers)).toEqual(['patchbay'])
      await page.getByRole('button', { name: 'Finish setup' }).click()
      await expect(main.getByRole('heading', { level: 2 }).first()).toHaveText(
        'All servers are ready',
      )
    },
  )
})
