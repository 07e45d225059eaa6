import type { Page } from '@playwright/test'

import { faultsOf } from './fixtures/axe-faults'
import { expectStatus, goTo, install, openServer } from './fixtures/drive'
import { GuardedServer } from './fixtures/guarded-server'
import { expect, test } from './fixtures/patchbay-test'

const NAME = 'Guarded one'

async function setTheme(page: Page, theme: string): Promise<void> {
  await page.evaluate(`document.documentElement.dataset.theme = ${JSON.stringify(theme)}`)
}

test('a sign-in is free of axe’s faults in all four themes, and goes by keyboard alone', async ({
  app: { page },
}) => {
  const guarded = await GuardedServer.open()
  try {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await install(page, guarded.entry, NAME)
    await expectStatus(page, NAME, 'Sign-in needed')
    const themes = ['light', 'dark', 'contrast', 'contrast-light']
    const check = async (what: string): Promise<void> => {
      for (const theme of themes) {
        await setTheme(page, theme)
        expect.soft(await faultsOf(page, theme), `${what}, ${theme}`).toEqual([])
      }
    }
    await goTo(page, 'Home')
    await check('home')
    await openServer(page, NAME)
    const dialog = page.getByRole('dialog')
    guarded.authorization.faults = { metadata: { registration_endpoint: undefined } }
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(dialog.getByRole('textbox', { name: 'Client ID' })).toBeVisible()
    await check('client ID')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    guarded.authorization.faults = {}
    await page.getByRole('button', { name: 'Sign in', exact: true }).focus()
    await page.keyboard.press('Enter')
    await expect(dialog).toContainText('in your browser')
    await check('dialog')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await check('under way')
    const cancel = page.getByRole('button', { name: 'Cancel sign-in' })
    await cancel.click()
    await expect(cancel).toBeHidden()
  } finally {
    await guarded[Symbol.asyncDispose]()
  }
})
