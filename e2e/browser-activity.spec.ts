import { readFileSync } from 'node:fs'

import type { Locator, Page } from '@playwright/test'

import { goTo } from './fixtures/drive'
import { keepCalls } from './fixtures/kept-calls'
import { expect, test } from './fixtures/patchbay-test'
import { testCall } from './fixtures/test-calls'

const MINUTE = 60_000

async function openActivity(page: Page): Promise<void> {
  await goTo(page, 'Activity')
  await expect(page.getByRole('heading', { name: 'Activity', level: 1 })).toBeVisible()
}

/** The rendered rows without the header. */
function rows(page: Page): Locator {
  return page.getByRole('table', { name: 'Calls of apps' }).locator('.call-row')
}

function hit(page: Page, target: string): Locator {
  return page.getByRole('button', { name: target, exact: true })
}

async function choose(page: Page, filter: string, answer: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${filter}: `, 'u') }).click()
  await page.getByRole('menuitemradio', { name: answer, exact: true }).click()
}

function many(count: number): ReturnType<typeof testCall>[] {
  const now = Date.now()
  return Array.from({ length: count }, (_, index) =>
    testCall({ target: `tool_${index}`, at: now - (count - index) * 1_000 }),
  )
}

test.describe("D6: agents' calls", () => {
  test('are searched and filtered, with a way out of an empty result', async ({
    openApp,
    profileDir,
  }) => {
    keepCalls(profileDir, [
      testCall({ target: 'old', at: Date.now() - 3 * 60 * MINUTE }),
      testCall({ target: 'read_note' }),
      testCall({
        target: 'write_note',
        outcome: 'toolError',
        message: 'The disk is full. Free some space, then start again.',
      }),
      testCall({ target: 'ask', outcome: 'denied' }),
    ])
    const { page } = await openApp()
    await openActivity(page)
    await expect(page.getByText('4 calls')).toBeVisible()
    await page.keyboard.press('/')
    await page.keyboard.type('DISK full')
    await expect(rows(page)).toHaveCount(1)
    await expect(page.getByText('1 found')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(rows(page)).toHaveCount(4)
    // A menu button is no toggle.
    await expect(page.getByRole('button', { name: /^Outcome: /u })).not.toHaveAttribute(
      'aria-pressed',
    )
    await choose(page, 'Outcome', 'Not successful')
    await expect(rows(page)).toHaveCount(2)
    await choose(page, 'Outcome', 'Denied')
    await expect(rows(page)).toHaveCount(1)
    await expect(hit(page, 'ask')).toBeVisible()
    await page.keyboard.press('/')
    await page.keyboard.type('nowhere')
    await expect(page.getByRole('heading', { name: 'No matching calls' })).toBeVisible()
    await page.getByRole('button', { name: 'Show all' }).last().click()
    await expect(rows(page)).toHaveCount(4)
    await choose(page, 'Time', 'Last hour')
    await expect(rows(page)).toHaveCount(3)
    await expect(hit(page, 'old')).toBeHidden()
    // The search survives a visit to another page.
    await goTo(page, 'Home')
    await openActivity(page)
    await expect(rows(page)).toHaveCount(3)
  })

  test('are navigated by keyboard, loading more on the way, and read in full', async ({
    openApp,
    profileDir,
  }) => {
    keepCalls(profileDir, [
      ...many(350),
      testCall({
        ...{ target: 'evil\u202Etool', outcome: 'refused' },
        ...{ message: 'No such path.\nTry another.', arguments: '{"path":"/tmp/x"}' },
      }),
    ])
    const { page } = await openApp()
    await openActivity(page)
    await expect(page.getByText('351 calls')).toBeVisible()
    // Only visible rows are rendered.
    expect(await rows(page).count()).toBeLessThan(60)
    await page.keyboard.press('/')
    await page.keyboard.press('ArrowDown')
    await expect(hit(page, 'evil<U+202E>tool')).toBeFocused()
    await page.keyboard.press('Enter')
    const sheet = page.getByRole('region', { name: 'evil<U+202E>tool' })
    await expect(sheet).toContainText('The server rejected the request.')
    await expect(sheet).toContainText('No such path.')
    await expect(sheet.getByRole('region', { name: 'Arguments' })).toHaveText(
      '{\n  "path": "/tmp/x"\n}',
    )
    await expect(sheet).toContainText('Claude Code removed')
    await page.keyboard.press('Escape')
    await expect(sheet).toBeHidden()
    await expect(hit(page, 'evil<U+202E>tool')).toBeFocused()
    await page.keyboard.press('Enter')
    // With a call open, the arrow keys open the next one.
    await page.keyboard.press('ArrowDown')
    await expect(hit(page, 'tool_349')).toBeFocused()
    await expect(hit(page, 'tool_349')).toHaveAttribute('aria-current', 'true')
    await expect(page.getByRole('region', { name: 'tool_349' })).toContainText('Not recorded.')
    await page.getByRole('button', { name: 'Older call' }).press('Enter')
    await expect(page.getByRole('region', { name: 'tool_348' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(hit(page, 'tool_348')).toBeFocused()
    // End leads to the last loaded call, until there is none older.
    await expect(async () => {
      await page.keyboard.press('End')
      await expect(hit(page, 'tool_0')).toBeFocused({ timeout: 500 })
    }).toPass()
    await expect(hit(page, 'tool_0')).toBeInViewport()
    await page.keyboard.press('Home')
    await expect(hit(page, 'evil<U+202E>tool')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible()
  })
  test('are exported as filtered, and cleared entirely, for the next run too', async ({
    openApp,
    profileDir,
  }) => {
    keepCalls(profileDir, [...many(150), testCall({ target: 'only me', outcome: 'timedOut' })])
    const app = await openApp()
    const { page } = app
    await openActivity(page)
    await expect(page.getByText('151 calls')).toBeVisible()
    const exported = async (): Promise<string[]> => {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export', exact: true }).click(),
      ])
      expect(file.suggestedFilename()).toMatch(/^activity-.+\.jsonl$/u)
      return readFileSync(await file.path(), 'utf8')
        .trimEnd()
        .split('\n')
    }
    expect(await exported()).toHaveLength(151)
    await choose(page, 'Outcome', 'Timed out')
    await expect(rows(page)).toHaveCount(1)
    const lines = await exported()
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { target: 'only me', outcome: 'timedOut', agentName: 'Claude Code' },
    ])
    await page.getByRole('button', { name: 'Clear' }).click()
    const dialog = page.getByRole('alertdialog')
    await expect(dialog).toContainText('Deletes 151 calls of all apps')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(rows(page)).toHaveCount(1)
    await expect(page.getByRole('button', { name: 'Clear' })).toBeFocused()
    await page.getByRole('button', { name: 'Clear' }).click()
    await dialog.getByRole('button', { name: 'Clear activity' }).click()
    await expect(page.getByRole('heading', { name: 'No matching calls' })).toBeVisible()
    await expect(page.getByRole('main')).toBeFocused()
    await page.getByRole('button', { name: 'Show all' }).last().click()
    await expect(page.getByRole('heading', { name: 'No calls yet' })).toBeVisible()
    await app.close()
    const again = await openApp()
    await openActivity(again.page)
    await expect(again.page.getByRole('heading', { name: 'No calls yet' })).toBeVisible()
  })
})
