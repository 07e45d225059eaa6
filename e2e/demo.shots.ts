import { join } from 'node:path'

import type { Page } from '@playwright/test'

import { openApp } from './fixtures/apps-page'
import { DemoProfile } from './fixtures/demo-profile'
import { goTo, openServer } from './fixtures/drive'
import { expect, test } from './fixtures/patchbay-test'
import { startSecretService } from './fixtures/secret-service'
import { WIDE } from './fixtures/shoot'

const OUT = join(import.meta.dirname, '..', 'docs', 'screenshots')

test.use({ settings: { setup: 'auto' } })

/** Takes a picture for the README, in light and dark. */
async function picture(page: Page, name: string): Promise<void> {
  await page.setViewportSize({ width: 1440, height: 810 })
  await page.mouse.move(0, 0)
  await expect(page.getByRole('button', { name: 'Dismiss notification' })).toHaveCount(0)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.waitForTimeout(250)
    await page.screenshot({ path: join(OUT, `readme-${name}-${colorScheme}.png`) })
  }
  await page.setViewportSize(WIDE)
}

test('a believable setup: servers, apps, and an approval', async ({
  openApp: open,
  profileDir,
}) => {
  await using demo = await DemoProfile.open()
  const service = await startSecretService()
  test.skip('unavailable' in service, 'Without a keychain no app can connect by its file.')
  if ('unavailable' in service) return
  const env = { ...service.env, PATCHBAY_KEYCHAIN_SERVICE: 'Patchbay pictures' }
  const app = await open({
    env: { ...demo.env, ...env },
    profileDir: demo.profileFrom(profileDir),
  })
  // The app writes to the home folder until it ends.
  await using _closing = { [Symbol.asyncDispose]: () => app.close().then(() => undefined) }
  const { page } = app
  await page.setViewportSize(WIDE)
  await demo.importServers(page)
  await demo.connectApps(page, env)
  await goTo(page, 'Home')
  await picture(page, 'home')

  await openApp(page, 'Cursor')
  await picture(page, 'apps')
  await openServer(page, 'GitHub')
  await picture(page, 'server')
  await goTo(page, 'Catalog')
  await expect(page.getByRole('button', { name: /^Set up/u })).toBeVisible()
  await picture(page, 'catalog')

  await openApp(page, 'Cursor')
  await page.getByRole('radio', { name: 'Destructive' }).click()
  const call = demo.clientOf('Cursor').callTool({
    name: 'Postgres__execute_sql',
    arguments: { sql: "delete from sessions where last_seen < now() - interval '90 days'" },
  })
  await expect(page.getByRole('dialog')).toContainText('execute_sql')
  await expect(page.getByRole('button', { name: 'Deny' }).first()).toBeEnabled()
  await picture(page, 'approval')
  await page.getByRole('button', { name: 'Deny' }).first().click()
  await call.catch(() => undefined)
  await service.stop()
})
