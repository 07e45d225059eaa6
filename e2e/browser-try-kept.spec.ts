import type { Page } from '@playwright/test'

import { installReady, openServer, serverLink } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { expect, test } from './fixtures/patchbay-test'
import {
  backToTools,
  callButton,
  callOnce,
  resultOf,
  textField,
  triedRows,
  tryTool,
  writeArguments,
} from './fixtures/tool-run-page'

test.use({ actionTimeout: 20_000 })

async function placeOf(page: Page, server: string): Promise<string> {
  return (await serverLink(page, server).getAttribute('href')) ?? ''
}

test('typed values stay with their server and field until sent, and the focus stays in place', async ({
  app: { page },
}) => {
  test.setTimeout(240_000)
  for (const name of ['First', 'Second']) {
    await installReady(page, fixtureServer('awkward-schemas.mjs'), name)
  }
  await openServer(page, 'First', 'Tools')

  await test.step('a same-named tool of another server has its own form', async () => {
    await tryTool(page, 'text')
    await textField(page, 'value').fill('mine')
    const [first, second] = [await placeOf(page, 'First'), await placeOf(page, 'Second')]
    await page.evaluate(
      `window.location.hash = window.location.hash.replace(${JSON.stringify(first)}, ${JSON.stringify(second)})`,
    )
    const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' })
    await expect(crumbs.getByRole('link', { name: 'Second' })).toBeVisible()
    await expect(callButton(page)).toBeVisible()
    await expect(textField(page, 'value')).toHaveValue('')
    await page.goBack()
    await expect(crumbs.getByRole('link', { name: 'First' })).toBeVisible()
    await expect(textField(page, 'value')).toHaveValue('mine')
  })

  await test.step('values of an earlier run replace nothing permanently', async () => {
    await callOnce(page)
    await textField(page, 'value').fill('other')
    // Copying sends nothing.
    await page.getByRole('button', { name: 'Copy as JSON-RPC' }).click()
    await triedRows(page)
      .first()
      .getByRole('button', { name: /Result/u })
      .click()
    await expect(textField(page, 'value')).toHaveValue('mine')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(textField(page, 'value')).toHaveValue('other')
    // Sent values are in the history, so nothing is lost.
    await callOnce(page)
    await triedRows(page)
      .nth(1)
      .getByRole('button', { name: /Result/u })
      .click()
    await expect(textField(page, 'value')).toHaveValue('mine')
    await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0)
  })

  await test.step('dialogs return the focus', async () => {
    for (const row of [0, 1]) await triedRows(page).nth(row).getByRole('checkbox').check()
    const compare = page.getByRole('button', { name: 'Compare two' })
    await compare.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Compare runs' })
    await expect(dialog).toContainText('mine')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(compare).toBeFocused()
    await page.getByRole('button', { name: 'Clear', exact: true }).press('Enter')
    const sure = page.getByRole('alertdialog', { name: 'Clear run history?' })
    await sure.getByRole('button', { name: 'Cancel' }).press('Enter')
    await expect(sure).toBeHidden()
    await expect(page.getByRole('button', { name: 'Clear', exact: true })).toBeFocused()
    await page.keyboard.press('Enter')
    await sure.getByRole('button', { name: 'Clear history' }).press('Enter')
    await expect(triedRows(page)).toHaveCount(0)
    await expect(page.getByRole('main')).toBeFocused()
    await backToTools(page)
  })

  await test.step('a dismissed menu keeps the selection', async () => {
    await tryTool(page, 'huge_choice')
    const choice = page.getByRole('combobox', { name: 'value' })
    await choice.fill('word-432')
    await choice.press('Enter')
    await expect(choice).toHaveValue('word-432')
    await choice.press('ArrowDown')
    await expect(page.getByRole('listbox')).toBeVisible()
    await choice.press('Tab')
    await expect(page.getByRole('listbox')).toBeHidden()
    await expect(choice).toHaveValue('word-432')
    await choice.fill('')
    await choice.press('Tab')
    await expect(choice).toHaveValue('')
  })

  await test.step("a member's name is sent as typed", async () => {
    // Its row is far down in the list, and not rendered.
    await page.evaluate(`window.location.hash = window.location.hash.replace(/[^/]+$/u, 'open')`)
    await expect(page.getByRole('heading', { name: 'open', level: 1, exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Add member' }).click()
    await page.getByRole('textbox', { name: 'Name of newKey' }).fill('count')
    await page.keyboard.press('Control+Enter')
    await expect(resultOf(page)).toContainText('{"count":0}')
    await writeArguments(page, '{ "count": 1 ')
    await callButton(page).click()
    await expect(page.getByText(/^Line 1, column/u)).toBeVisible()
    await expect(triedRows(page)).toHaveCount(1)
    // The scrolling area is below the page's header, which stays.
    await page.setViewportSize({ width: 900, height: 600 })
    await page.evaluate(
      `document.querySelector('.tool-run-history').scrollIntoView({ block: 'start' })`,
    )
    await expect(page.getByRole('heading', { name: 'open', level: 1 })).toBeInViewport()
  })
})

test('values typed for a prompt or a template return with its page', async ({ app: { page } }) => {
  await installReady(page, fixtureServer('rich.mjs', { args: ['red'] }), 'Rich')
  await openServer(page, 'Rich', 'Prompts')
  await page.getByRole('link', { name: 'Render greet' }).press('Enter')
  const who = page.getByRole('combobox', { name: 'who', exact: true })
  await who.fill('Ann')
  await page.getByRole('link', { name: 'Prompts', exact: true }).press('Enter')
  await page.getByRole('link', { name: 'Render greet' }).press('Enter')
  await expect(who).toHaveValue('Ann')

  await openServer(page, 'Rich', 'Resources')
  await page.getByRole('link', { name: 'Try it part' }).press('Enter')
  const path = page.getByRole('combobox', { name: 'path', exact: true })
  await path.fill('a b')
  await expect(page.getByText('memo://red/a%20b', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Resources', exact: true }).press('Enter')
  await page.getByRole('link', { name: 'Try it part' }).press('Enter')
  await expect(path).toHaveValue('a b')
})
