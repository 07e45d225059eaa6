import type { Page } from '@playwright/test'

import { contrastsIn, faultsOf } from './fixtures/axe-faults'
import { expect, test } from './fixtures/patchbay-test'
import { eachRequest, leave } from './fixtures/screen-states'
import { PLAIN_SCREENS, type Screen, screensOf } from './fixtures/screens'
import { startSecretService } from './fixtures/secret-service'
import { Stage } from './fixtures/stage'

test.use({ settings: { setup: 'auto' } })

/** The smallest window, and its size at 200% zoom. */
const SIZES = [
  { width: 900, height: 600 },
  { width: 450, height: 300 },
] as const
const OVERHANG = `Math.max(...[document.documentElement, document.querySelector('#main'),
  document.querySelector('[role=dialog], [role=alertdialog]')]
  .filter(Boolean).map((element) => element.scrollWidth - element.clientWidth))`

/** Axe in light, contrast of 7 to 1 in high contrast, and no horizontal scrolling in a small window. */
async function check(page: Page, id: string): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  expect.soft(await faultsOf(page), id).toEqual([])
  await page.emulateMedia({ contrast: 'more', reducedMotion: 'reduce' })
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'contrast-light')
  expect.soft((await contrastsIn(page, 'body', true)).faint, `${id}, more contrast`).toEqual([])
  await page.emulateMedia({ contrast: 'no-preference' })
  for (const size of SIZES) {
    await page.setViewportSize(size)
    expect.soft(await page.evaluate(OVERHANG), `${id}, ${size.width} px wide`).toBeLessThan(2)
  }
}

async function checkAll(page: Page, screens: readonly Screen[]): Promise<void> {
  for (const { id, reach } of screens) {
    await leave(page)
    await test.step(id, async () => {
      await reach(page)
      await check(page, id)
    })
  }
}

test('every screen with data passes axe and fits a small window', async ({
  openApp,
  profileDir,
}) => {
  test.setTimeout(600_000)
  const keychain = await startSecretService()
  test.skip('unavailable' in keychain, 'Without a keychain no app can connect by its file.')
  if ('unavailable' in keychain) return
  await using stage = await Stage.open(openApp, profileDir, keychain)
  const { page } = stage
  await checkAll(page, screensOf(stage))
  await leave(page)
  await eachRequest(page, (id) => check(page, id))
  await keychain.stop()
})

test('every empty screen passes axe and fits a small window', async ({ app: { page } }) => {
  await checkAll(page, PLAIN_SCREENS)
})
