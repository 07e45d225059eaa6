import { copiedBy } from './fixtures/clipboard'
import { approve, expectStatus, goTo, nameIt, paste, serverLink } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { expect, test } from './fixtures/patchbay-test'

const LIMIT_MS = 60_000
const server = (version: string, ...flags: string[]): object => ({
  ...fixtureServer('vet.mjs', { title: 'Weather', args: flags }),
  version,
})

test.describe("E14: a server's report", () => {
  test(
    'is made before the installation and on its page, and copied for its author',
    { tag: '@gate' },
    async ({ app: { page } }) => {
      await test.step('before the installation, with consent, and nothing stays installed', async () => {
        await paste(page, server('1.0.0', 'noise', 'bare-parameter'))
        await goTo(page, 'Catalog')
        await page.getByRole('searchbox', { name: 'Search catalog' }).fill('Weather')
        await page.getByRole('button', { name: 'Weather', exact: true }).first().click()
        await page.getByRole('button', { name: 'Check this server' }).click()
        await expect(page.getByText('Nothing stays installed.')).toBeVisible()
        await page.getByRole('button', { name: 'Approve and check' }).click()
        await expect(page.getByRole('progressbar', { name: 'Checks done' })).toBeVisible()
        const dialog = page.getByRole('dialog', { name: 'Report' })
        await expect(dialog).toBeVisible({ timeout: LIMIT_MS })
        await expect(
          dialog.getByRole('heading', {
            name: /^1 problem, 0 suggestions\. \d+ checks passed, \d+ not checked\.$/u,
          }),
        ).toBeVisible()
        await expect(dialog).toContainText('Server is listening')
        await dialog.getByRole('button', { name: 'Close' }).click()
        await expect(page.getByText('Report of this version: 1 problem')).toBeVisible()
        await expect(serverLink(page, 'Weather')).toBeHidden()
      })

      await test.step("on the server's page, with the same findings", async () => {
        await nameIt(page, 'Weather')
        await approve(page)
        await expectStatus(page, 'Weather', 'Ready')
        await page.getByRole('button', { name: /^More actions/u }).click()
        await page.getByRole('menuitem', { name: 'Check this server' }).click()
        await expect(page.getByRole('heading', { name: 'Report', level: 1 })).toBeVisible()
        await page.getByRole('button', { name: 'Repeat the check' }).click()
        await expect(page.getByRole('progressbar', { name: 'Checks done' })).toBeVisible()
        const finding = page.getByRole('region', {
          name: 'Stdout carries protocol messages and nothing else.',
        })
        await expect(finding).toBeVisible({ timeout: LIMIT_MS })
        await expect(finding).toContainText('Problem')
        // The server that apps use keeps running.
        await expectStatus(page, 'Weather', 'Ready')
      })

      await test.step('copied as Markdown for its author', async () => {
        const copy = page.getByRole('button', { name: 'Copy as Markdown' })
        const copied = await copiedBy(page, () => copy.click())
        expect(copied).toContain('## Problem: `start.stdout`')
      })
    },
  )
})
