import type { Page } from '@playwright/test'

import { faultsOf } from './fixtures/axe-faults'
import { installReady, openServer } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { expect, test } from './fixtures/patchbay-test'
import {
  callButton,
  callOnce,
  resultOf,
  triedRows,
  tryTool,
  writeArguments,
} from './fixtures/tool-run-page'
import { AWKWARD } from './servers/awkward-schemas.mjs'

test.use({ actionTimeout: 20_000 })

async function open(page: Page): Promise<void> {
  await installReady(page, fixtureServer('awkward-schemas.mjs'), 'Awkward')
  await openServer(page, 'Awkward', 'Tools')
  await tryTool(page, 'text')
}

/** Navigates from one tool's page to another's, like a link. */
async function goToTool(page: Page, name: string): Promise<void> {
  await page.evaluate(
    `window.location.href = window.location.href.replace(/[^/]+$/u, ${JSON.stringify(name)})`,
  )
  await expect(page.getByRole('heading', { name, level: 1, exact: true })).toBeVisible()
}

/** The page's logged errors, and its requests and popups to other origins. */
function watch(page: Page): string[] {
  const seen: string[] = []
  page.on('console', (message) => message.type() === 'error' && seen.push(message.text()))
  page.on('pageerror', (error) => seen.push(error.message))
  page.on('dialog', (dialog) => seen.push(dialog.message()))
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(page.url()).origin) seen.push(request.url())
  })
  return seen
}

test('tools with 60 unusual schemas open and can be called, and none breaks the page', async ({
  app: { page },
}) => {
  test.setTimeout(240_000)
  await open(page)
  const seen = watch(page)
  for (const [name, { good }] of Object.entries(AWKWARD)) {
    await goToTool(page, name)
    await expect(callButton(page)).toBeVisible()
    await expect(page.getByText('Can’t show this form')).toBeHidden()
    await writeArguments(page, JSON.stringify(good))
    await callOnce(page)
    await expect(resultOf(page), name).toContainText('Result')
    const form = page.getByRole('tab', { name: 'Form', exact: true })
    if (await form.isHidden()) continue
    // The form takes over the JSON, and returns it unchanged.
    await form.click()
    await expect(form, name).toHaveAttribute('aria-selected', 'true')
    await expect(page.getByText('Can’t show this form'), name).toBeHidden()
    await page.getByRole('tab', { name: 'JSON', exact: true }).click()
    const text = page.getByRole('textbox', { name: 'Arguments as JSON' })
    expect(JSON.parse(await text.inputValue()), name).toEqual(good)
  }
  expect(seen).toEqual([])
})

test('forms are filled in by fields and keys, and pass axe', async ({ app: { page } }) => {
  test.setTimeout(180_000)
  await open(page)
  const seen = watch(page)
  /** The arguments that the server got. */
  const sent = async (): Promise<unknown> => {
    await page.getByRole('tab', { name: 'JSON', exact: true }).click()
    const text = page.getByRole('textbox', { name: 'Arguments as JSON' })
    const value = JSON.parse(await text.inputValue()) as unknown
    await page.getByRole('tab', { name: 'Form', exact: true }).click()
    return value
  }
  const field = (name: string) => page.getByRole('textbox', { name, exact: true })

  await test.step('an invalid value is reported at its field, and not sent', async () => {
    await field('value').fill('a')
    await callButton(page).click()
    await expect(page.getByText('Enter at least 2 characters.').first()).toBeVisible()
    await expect(field('value')).toBeFocused()
    await field('value').fill('abc')
    await expect(page.getByText('Enter at least 2 characters.')).toHaveCount(0)
    await callOnce(page)
    await expect(resultOf(page)).toContainText('{"value":"abc"}')
    await expect(triedRows(page)).toHaveCount(1)
  })
  await test.step('numbers stay numbers, without losing digits', async () => {
    await goToTool(page, 'integer')
    await field('value').fill('9007199254740993')
    await callButton(page).click()
    await expect(page.getByText('Enter a whole number.').first()).toBeVisible()
    await field('value').fill('9007199254740991')
    await callOnce(page)
    await expect(resultOf(page)).toContainText('{"value":9007199254740991}')
    await writeArguments(page, '{\n  "value": 9007199254740993\n}')
    await callButton(page).click()
    await expect(
      page.getByText(/^Line 2, column 12: 9007199254740993 has too many digits/u),
    ).toBeVisible()
    await expect(triedRows(page)).toHaveCount(1)
  })
  await test.step('one of thousands is found, with few of them rendered', async () => {
    await goToTool(page, 'huge_choice')
    const choice = page.getByRole('combobox', { name: 'value' })
    await choice.fill('word-432')
    await expect(page.getByRole('listbox').getByRole('option')).toHaveCount(11)
    await choice.press('ArrowDown')
    await choice.press('Enter')
    await expect(choice).toHaveValue('word-4320')
    expect(await sent()).toEqual({ value: 'word-4320' })
    await choice.fill('word')
    await expect(page.getByRole('listbox').getByRole('option')).toHaveCount(50)
    await choice.press('Escape')
    await expect(choice).toHaveValue('word-4320')
  })
  await test.step('variants, lists and nested objects', async () => {
    await goToTool(page, 'one_of')
    await page.getByRole('combobox', { name: 'Type of value' }).selectOption('square')
    await field('a').fill('2.5')
    expect(await sent()).toEqual({ value: { kind: 'square', a: 2.5 } })
    await goToTool(page, 'list_of_objects')
    await page.getByRole('button', { name: 'Add entry to value' }).click()
    await field('x').fill('1')
    await page.getByRole('button', { name: 'Add entry to value' }).click()
    await field('x').nth(1).fill('2')
    await page.getByRole('button', { name: 'Move entry 2 up' }).click()
    expect(await sent()).toEqual({ value: [{ x: 2 }, { x: 1 }] })
    await goToTool(page, 'optional_inner')
    expect(await sent()).toEqual({})
    await page.getByRole('button', { name: 'Fill in' }).click()
    await expect(field('size')).toHaveValue('3')
    expect(await sent()).toEqual({ box: { size: 3 } })
    await page.getByRole('button', { name: 'Leave out' }).click()
    expect(await sent()).toEqual({})
  })
  await test.step('members with any name, and 200 of them', async () => {
    await goToTool(page, 'open')
    await page.getByRole('button', { name: 'Add member' }).click()
    await page.getByRole('textbox', { name: 'Name of newKey' }).fill('count')
    await page.keyboard.press('Tab')
    await page.getByRole('textbox', { name: 'count', exact: true }).fill('7')
    expect(await sent()).toEqual({ count: 7 })
    await page.getByRole('button', { name: 'Remove count' }).click()
    expect(await sent()).toEqual({})
    await goToTool(page, 'many_members')
    await expect(field('member_199')).toHaveCount(0)
    await expect(field('member_150')).toHaveCount(0)
    await expect(page.getByText('1 with defaults', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Show 176 more' }).click()
    await expect(field('member_150')).toHaveValue('7')
    await field('member_199').fill('last')
    expect(await sent()).toEqual({ member_150: 7, member_199: 'last' })
  })
  await test.step("defaults are filled in, a cleared field disappears, and a server's markup stays text", async () => {
    await goToTool(page, 'defaults')
    await expect(field('text')).toHaveValue('hello')
    expect(await sent()).toEqual({
      text: 'hello',
      count: 0,
      flag: false,
      list: ['a'],
      fixed: 'as it is',
    })
    await field('text').fill('')
    await page.getByRole('radio', { name: 'Not set' }).click()
    await page.getByRole('button', { name: 'Fill in second' }).click()
    expect(await sent()).toEqual({ count: 0, list: ['a'], example: 'second', fixed: 'as it is' })
    await expect(page.getByText('**bold**').first()).toBeVisible()
    await expect(page.locator('.tool-run-frame img')).toHaveCount(0)
    await expect(page.locator('.tool-run-frame a')).toHaveCount(0)
  })
  await test.step('values unknown to the form are kept', async () => {
    await goToTool(page, 'text')
    await writeArguments(page, '{ "value": "abc", "unknown": { "deep": [1, null] } }')
    await page.getByRole('tab', { name: 'Form', exact: true }).click()
    await field('value').fill('abcd')
    expect(await sent()).toEqual({ value: 'abcd', unknown: { deep: [1, null] } })
    await writeArguments(page, '{\n  "value": ,\n}')
    await page.getByRole('tab', { name: 'Form', exact: true }).click()
    await expect(page.getByText('Line 2, column 12: Unexpected ",".')).toBeVisible()
  })
  await test.step('by the keyboard alone', async () => {
    await goToTool(page, 'defaults')
    const focused = page.locator(':focus')
    await page.getByRole('tab', { name: 'Form', exact: true }).focus()
    await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('textbox', { name: 'Arguments as JSON' })).toBeVisible()
    await page.keyboard.press('ArrowLeft')
    await expect(field('text')).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(focused).toHaveAccessibleName('text')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('typed')
    await page.keyboard.press('ControlOrMeta+Enter')
    await expect(resultOf(page)).toContainText('"text":"typed"')
    // The focus stays in place, and the outcome is announced.
    await expect(focused).toHaveAccessibleName('text')
    await expect(page.getByRole('status', { name: 'Outcome' })).toContainText(/^Result, after/u)
    await page.getByRole('button', { name: /^\d\d:\d\d.*Result/u }).press('Enter')
    await expect(field('text')).toHaveValue('typed')
  })
  expect(seen).toEqual([])
  await test.step('axe finds nothing in any theme', async () => {
    for (const name of ['defaults', 'one_of', 'tuple', 'invalid', 'huge_choice']) {
      await goToTool(page, name)
      await expect(callButton(page)).toBeVisible()
      if (name === 'huge_choice')
        await page.getByRole('combobox', { name: 'value' }).press('ArrowDown')
      for (const theme of ['light', 'dark', 'contrast', 'contrast-light']) {
        await page.evaluate(`document.documentElement.dataset.theme = ${JSON.stringify(theme)}`)
        expect.soft(await faultsOf(page, theme), `${name}, ${theme}`).toEqual([])
      }
    }
  })
})
