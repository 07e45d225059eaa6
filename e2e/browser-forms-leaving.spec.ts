import type { Page } from '@playwright/test'

import { approve, argvOf, configure, expectStatus, goTo, openServer, paste } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { expect, test } from './fixtures/patchbay-test'

const SERVER = fixtureServer('plain.mjs', {
  title: 'Plain one',
  packageArguments: [{ type: 'named', name: '--mode', description: 'A mode' }],
  environmentVariables: [{ name: 'REGION', description: 'A region' }],
})

async function typeSomething(page: Page): Promise<void> {
  await paste(page, SERVER)
  await page.getByLabel('Mode', { exact: true }).fill('typed')
}

test.describe('D3: unsaved text', () => {
  for (const [way, leave] of [
    ['by the sidebar', (page: Page) => page.getByRole('link', { name: /^Servers/u }).click()],
    [
      'by the way back above',
      (page: Page) =>
        page
          .getByRole('navigation', { name: 'Breadcrumb' })
          .getByRole('link', { name: 'Catalog' })
          .click(),
    ],
    ['by the history', (page: Page) => page.evaluate('history.back()')],
  ] as const) {
    test(`is not lost ${way} without a question`, async ({ app: { page } }) => {
      await typeSomething(page)
      await leave(page)
      const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
      await question.getByRole('button', { name: 'Stay' }).click()
      await expect(page.getByLabel('Mode', { exact: true })).toHaveValue('typed')
      await leave(page)
      await question.getByRole('button', { name: 'Leave' }).click()
      await expect(page.getByLabel('Mode', { exact: true })).toBeHidden()
      await expect(page.getByRole('alertdialog')).toBeHidden()
    })
  }

  test('leaves with a user who navigated away while it was being saved', async ({
    app: { page },
  }) => {
    await paste(page, SERVER)
    await approve(page)
    await expectStatus(page, 'Plain one', 'Ready')
    await configure(page, 'Plain one')
    await page.getByLabel('Region').fill('eu')
    // A change that isn't on screen yet isn't saved, but shown first.
    await expect(page.getByRole('region', { name: 'Arguments and environment' })).toContainText(
      'REGION=eu',
    )
    await expect(page.getByRole('button', { name: 'Approve and restart' })).toBeEnabled()
    // In one step, so that nothing is saved in between.
    await page.evaluate(`for (const [selector, words] of [['button', 'Approve and restart'], ['nav a', 'Home']])
      for (const element of document.querySelectorAll(selector))
        if (element.textContent.trim() === words) element.click()`)
    await expect(page.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible()
    await expect(page.getByRole('alertdialog')).toBeHidden()
  })

  test('causes no question once saved or if nothing was typed', async ({ app: { page } }) => {
    await typeSomething(page)
    await page.getByRole('button', { name: 'Save for later' }).click()
    // Not the form's own heading, which contains the name too.
    const heading = page.getByRole('heading', { name: 'Plain one', level: 1, exact: true })
    await expect(heading).toBeVisible()
    await paste(page, SERVER)
    await goTo(page, 'Home')
    await expect(page.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible()
  })
})

test.describe('D3: a running server', () => {
  test('takes changes at its next start, and offers that immediately', async ({
    app: { page },
  }) => {
    await paste(page, SERVER)
    await page.getByLabel('Region').fill('de')
    await approve(page)
    await expectStatus(page, 'Plain one', 'Ready')
    await configure(page, 'Plain one')
    const consent = page.getByRole('region', { name: 'Consent' })
    await expect(consent).toContainText('Restart the server to apply changes.')
    await page.getByLabel('Region').fill('eu')
    await consent.getByRole('button', { name: 'Save only' }).click()
    await expect(page.getByText('Plain one saved. Restart').first()).toBeVisible()

    // Another value changes no command, so the approval still holds.
    await configure(page, 'Plain one')
    await expect(consent).toContainText('You already approved this exact command.')
    await page.getByLabel('Region').fill('us')
    await consent.getByRole('button', { name: 'Save and restart' }).click()
    await expectStatus(page, 'Plain one', 'Ready')

    await configure(page, 'Plain one')
    await page.getByLabel('Mode', { exact: true }).fill('b')
    await expect(consent.getByRole('button', { name: 'Approve and restart' })).toBeVisible()
  })
})

test.describe('D3: unsaved text in a browser tab', () => {
  test('is not lost by a reload without a question', async ({ app: { page } }) => {
    await typeSomething(page)
    const opened = page.waitForEvent('dialog')
    const reload = page.evaluate('location.reload()')
    const dialog = await opened
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
    await reload
    await expect(page.getByLabel('Mode', { exact: true })).toHaveValue('typed')
  })
})

test(
  'D3: a changed command is shown again before it runs',
  { tag: '@gate' },
  async ({ app: { page } }) => {
    await paste(
      page,
      fixtureServer('plain.mjs', {
        packageArguments: [{ type: 'named', name: '--mode', description: 'A mode', default: 'a' }],
      }),
    )
    await approve(page)
    await expectStatus(page, 'plain', 'Ready')
    await configure(page, 'plain')
    await page.getByLabel('Mode', { exact: true }).fill('b')
    await page.getByRole('button', { name: 'Save only' }).click()
    await openServer(page, 'plain')
    await page.locator('header').getByRole('button', { name: 'Restart', exact: true }).click()
    await expectStatus(page, 'plain', 'Error')
    await page
      .getByRole('button', { name: 'Review command' })
      .or(page.getByRole('link', { name: 'Review command' }))
      .first()
      .click()
    await expect(argvOf(page)).toHaveText(['node', /plain\.mjs$/u, '--mode', 'b'])
    await approve(page)
    await expectStatus(page, 'plain', 'Ready')
  },
)
