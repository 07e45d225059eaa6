import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Page } from '@playwright/test'

import { copiedBy } from './fixtures/clipboard'
import {
  approve,
  expectStatus,
  goTo,
  install,
  openServer,
  serverLink,
  setUp,
} from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { installTools } from './fixtures/listed-tools'
import { expect, test } from './fixtures/patchbay-test'
import { DOWNLOAD_LIMIT_MS } from './fixtures/published-servers'
import {
  backToTools,
  callButton,
  callOnce,
  resultOf,
  textField,
  triedRows,
  tryTool,
  writeArguments,
} from './fixtures/trial-page'

test.use({ actionTimeout: 20_000 })

async function runAgain(page: Page, row: number): Promise<void> {
  await triedRows(page)
    .nth(row)
    .getByRole('button', { name: /^Actions for the run/u })
    .click()
  await page.getByRole('menuitem', { name: 'Run again' }).click()
}

test('tools of published servers are tried from their forms', async ({
  app: { page, profileDir },
}) => {
  test.setTimeout(2 * DOWNLOAD_LIMIT_MS)
  const notes = join(profileDir, 'notes')
  mkdirSync(notes)
  writeFileSync(join(notes, 'note.txt'), 'A note.')
  await setUp(page, 'Filesystem')
  await page.getByRole('textbox', { name: /^Allowed folders 1/u }).fill(notes)
  await approve(page)
  await setUp(page, 'Everything')
  await approve(page)
  await expectStatus(page, 'Everything', 'Ready', DOWNLOAD_LIMIT_MS)
  await openServer(page, 'Everything', 'Tools')

  await test.step('a form is filled in, called, and what fits not is held back', async () => {
    await tryTool(page, 'echo')
    await callButton(page).click()
    await expect(page.getByText('Enter a value.').first()).toBeVisible()
    await expect(textField(page, 'message')).toBeFocused()
    await textField(page, 'message').fill('Hello')
    await textField(page, 'message').press('Control+Enter')
    await expect(resultOf(page)).toContainText('Echo: Hello')
    await expect(triedRows(page)).toHaveCount(1)
    const copy = page.getByRole('button', { name: 'Copy as JSON-RPC' })
    const copied = await copiedBy(page, () => copy.click())
    await expect(page.getByText('Copied the request.', { exact: true })).toBeVisible()
    expect(JSON.parse(copied)).toEqual({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'echo', arguments: { message: 'Hello' } },
    })
  })
  await test.step('what was filled in is there again, and so is the result', async () => {
    await backToTools(page)
    await tryTool(page, 'echo')
    await expect(textField(page, 'message')).toHaveValue('Hello')
    await expect(resultOf(page)).toContainText('Echo: Hello')
    await backToTools(page)
  })
  await test.step('earlier trials are opened, run again and compared', async () => {
    await tryTool(page, 'get-sum')
    await textField(page, 'a').fill('1')
    await textField(page, 'b').fill('2')
    await callOnce(page)
    await expect(resultOf(page)).toContainText('3')
    await textField(page, 'b').fill('40.5')
    await callOnce(page)
    await expect(resultOf(page)).toContainText('41.5')
    // The first one: its arguments and its result.
    await triedRows(page)
      .nth(1)
      .getByRole('button', { name: /Result/u })
      .click()
    await expect(textField(page, 'b')).toHaveValue('2')
    await expect(resultOf(page)).not.toContainText('41.5')
    await runAgain(page, 0)
    await expect(triedRows(page)).toHaveCount(3)
    await expect(resultOf(page)).toContainText('41.5')
    await triedRows(page).nth(0).getByRole('checkbox').check()
    await triedRows(page).nth(2).getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Compare two' }).click()
    const compared = page.getByRole('dialog', { name: 'Compare runs' })
    const sent = compared.getByRole('region', { name: 'Request' })
    await expect(sent).toContainText('"b": 2')
    await expect(sent).toContainText('"b": 40.5')
    await expect(compared.getByRole('region', { name: 'Response' })).toContainText('41.5')
    await compared.getByRole('button', { name: 'Close' }).click()
    await backToTools(page)
  })
  // Before a call is cancelled: of a server that may still ask for that one, no question has a known place.
  await test.step('what the server asks meanwhile stands in the page', async () => {
    await tryTool(page, 'trigger-elicitation-request')
    await expect(page.getByText('This tool has no arguments.')).toBeVisible()
    await callButton(page).click()
    const asked = page.getByRole('region', { name: 'Everything asks for details' })
    await expect(asked).toBeVisible()
    await expect(page.getByRole('dialog')).toBeHidden()
    await asked.getByRole('textbox', { name: 'String', exact: true }).fill('Ann')
    await expect(asked.getByRole('button', { name: 'Send' })).toBeEnabled()
    await asked.getByRole('button', { name: 'Send' }).click()
    await expect(asked).toBeHidden()
    await expect(resultOf(page)).toContainText('Ann')
    await backToTools(page)
  })
  await test.step('progress is shown with its time, and Escape takes a call back', async () => {
    await tryTool(page, 'trigger-long-running-operation')
    await expect(textField(page, 'duration')).toHaveValue('10')
    await expect(textField(page, 'steps')).toHaveValue('5')
    await textField(page, 'duration').fill('600')
    await textField(page, 'steps').fill('600')
    await textField(page, 'steps').press('Control+Enter')
    await expect(page.getByText(/^Step \d+ of 600/u)).toBeVisible()
    await expect(page.getByRole('progressbar', { name: 'Progress' })).toBeVisible()
    await textField(page, 'steps').press('Escape')
    await expect(resultOf(page)).toContainText('Canceled')
    await expect(page.getByRole('progressbar')).toBeHidden()
    await expect(page.getByRole('status', { name: 'Outcome' })).toContainText(/^Canceled, after/u)
    await backToTools(page)
  })
  await test.step('a tool that may destroy says so, and does what it does', async () => {
    await openServer(page, 'Filesystem', 'Tools')
    await tryTool(page, 'write_file')
    await expect(page.getByText(/may delete or overwrite data\. Calls are real/u)).toBeVisible()
    await textField(page, 'path').fill(join(notes, 'new.txt'))
    await textField(page, 'content').fill('Written.')
    await callOnce(page)
    expect(readFileSync(join(notes, 'new.txt'), 'utf8')).toBe('Written.')
    await textField(page, 'path').fill('/outside.txt')
    await callOnce(page)
    await expect(resultOf(page)).toContainText('Tool error')
    await page.getByRole('button', { name: 'Clear' }).click()
    const confirm = page.getByRole('alertdialog', { name: 'Clear run history?' })
    await confirm.getByRole('button', { name: 'Clear history' }).click()
    await expect(triedRows(page)).toHaveCount(0)
    await expect(resultOf(page)).toBeHidden()
  })
})

test('calls that are refused, late or not possible say so', async ({
  app: { page, profileDir },
}) => {
  test.setTimeout(180_000)
  await install(page, fixtureServer('works.mjs'), 'Works')
  await expectStatus(page, 'Works', 'Ready')
  await installTools(page, profileDir, 'Other', [
    { name: 'wipe', annotations: { destructiveHint: true } },
    { name: 'not a name' },
  ])
  await openServer(page, 'Works', 'Tools')

  await test.step('refused by the server', async () => {
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
  await test.step('cancelled by its button, which leaves the focus with the call', async () => {
    await writeArguments(page, '{"every": 20}')
    await page.getByRole('combobox', { name: 'Timeout' }).selectOption('1 min')
    await callButton(page).click()
    await expect(page.getByText(/^Step \d/u)).toBeVisible()
    await page.getByRole('button', { name: 'Cancel', exact: true }).press('Enter')
    await expect(resultOf(page)).toContainText('Canceled')
    await expect(callButton(page)).toBeFocused()
    await expect(triedRows(page)).toHaveCount(2)
  })
  await test.step('a server that does not run is started from there', async () => {
    await serverLink(page, 'Works').click()
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await expectStatus(page, 'Works', 'Stopped')
    await page.getByRole('tab', { name: /^Tools/u }).click()
    await tryTool(page, 'slow')
    await expect(page.getByText('The server isn’t running.')).toBeVisible()
    await page.getByRole('button', { name: 'Start', exact: true }).click()
    await expectStatus(page, 'Works', 'Ready')
    await expect(page.getByText('The server isn’t running.')).toBeHidden()
    // It was kept while the server was away.
    await expect(page.getByRole('textbox', { name: 'Arguments as JSON' })).toHaveValue(
      '{"every": 20}',
    )
  })
  await test.step('a tool that agents are not shown can be tried from the list of all', async () => {
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
