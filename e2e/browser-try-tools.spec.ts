import { expectStatus, goTo, installReady, openServer, serverLink } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { installTools } from './fixtures/listed-tools'
import { expect, test } from './fixtures/patchbay-test'
import {
  backToTools,
  callButton,
  callOnce,
  resultOf,
  triedRows,
  tryTool,
  writeArguments,
} from './fixtures/tool-run-page'

test.use({ actionTimeout: 20_000 })

test('rejected, timed out and impossible calls say so', async ({ app: { page, profileDir } }) => {
  test.setTimeout(180_000)
  await installReady(page, fixtureServer('works.mjs'), 'Works')
  await installTools(page, profileDir, 'Other', [
    { name: 'wipe', annotations: { destructiveHint: true } },
    { name: 'not a name' },
  ])
  await openServer(page, 'Works', 'Tools')

  await test.step('rejected by the server', async () => {
    await tryTool(page, 'fail')
    await callOnce(page)
    await expect(resultOf(page)).toContainText('Rejected, code -32002')
    await expect(resultOf(page)).toContainText('No such thing')
    await backToTools(page)
  })
  await test.step('without an answer in time', async () => {
    await tryTool(page, 'slow')
    await page.getByRole('combobox', { name: 'Timeout' }).selectOption('5 s')
    await callButton(page).click()
    await expect(resultOf(page)).toContainText('Timed out')
  })
  await test.step('canceled by its button, which keeps the focus on the call', async () => {
    await writeArguments(page, '{"every": 20}')
    await page.getByRole('combobox', { name: 'Timeout' }).selectOption('1 min')
    await callButton(page).click()
    await expect(page.getByText(/^Step \d/u)).toBeVisible()
    await page.getByRole('button', { name: 'Cancel', exact: true }).press('Enter')
    await expect(resultOf(page)).toContainText('Canceled')
    await expect(callButton(page)).toBeFocused()
    await expect(triedRows(page)).toHaveCount(2)
  })
  await test.step('a stopped server is started from there', async () => {
    await serverLink(page, 'Works').click()
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await expectStatus(page, 'Works', 'Stopped')
    await page.getByRole('tab', { name: /^Tools/u }).click()
    await tryTool(page, 'slow')
    await expect(page.getByText('The server isn’t running.')).toBeVisible()
    await page.getByRole('button', { name: 'Start', exact: true }).click()
    await expectStatus(page, 'Works', 'Ready')
    await expect(page.getByText('The server isn’t running.')).toBeHidden()
    // The value was kept while the server was away.
    await expect(page.getByRole('textbox', { name: 'Arguments as JSON' })).toHaveValue(
      '{"every": 20}',
    )
  })
  await test.step('a tool hidden from agents can be tried from the list of all', async () => {
    await goTo(page, 'Tools')
    const shown = page.getByRole('switch', { name: 'Show not a name to agents' })
    await shown.click()
    await expect(shown).not.toBeChecked()
    await page.getByRole('button', { name: 'not a name', exact: true }).click()
    await page
      .getByRole('dialog', { name: 'not a name' })
      .getByRole('link', { name: 'Try it' })
      .click()
    await expect(page.getByRole('heading', { name: 'not a name', level: 1 })).toBeVisible()
    await expect(page.getByText(/You can still try it\.$/u)).toBeVisible()
    await callOnce(page)
    await expect(resultOf(page)).toContainText('Result')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('tab', { name: /^Tools/u, selected: true })).toBeVisible()
    await tryTool(page, 'wipe')
    await expect(page.getByText(/may delete or overwrite data\. Calls are real/u)).toBeVisible()
  })
})
