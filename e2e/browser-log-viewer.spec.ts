import { readFileSync } from 'node:fs'

import type { Locator, Page } from '@playwright/test'

import { expectNoFaults } from './fixtures/axe-faults'
import { copiedBy } from './fixtures/clipboard'
import { goTo, install, installReady, linesInView, logOf, openServer } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { expect, test } from './fixtures/patchbay-test'

/** Fewer than the buffer that loses none, however busy the computer is. */
const LINES = 32_000

/** The log of a server that has written many lines. */
async function openTorrent(page: Page): Promise<Locator> {
  await install(page, fixtureServer('torrent.mjs', { args: ['20000', String(LINES)] }), 'Torrent')
  await openServer(page, 'Torrent', 'Log')
  const log = logOf(page, 'Torrent')
  await expect(log.getByText('torrent over', { exact: true })).toBeVisible()
  return log
}

function searchOf(page: Page): Locator {
  return page.getByRole('searchbox', { name: 'Search log' })
}

async function more(page: Page, act: string): Promise<void> {
  await page.getByRole('button', { name: 'Log actions' }).click()
  await page.getByRole('menuitem', { name: act }).click()
}

async function choose(page: Page, filter: string, choice: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${filter}: `, 'u') }).click()
  await page.getByRole('menuitemradio', { name: choice, exact: true }).click()
}

test.describe('D4: the log viewer', () => {
  test('scrolls through thousands of lines by keyboard without losing any', async ({
    app: { page },
  }) => {
    const log = await openTorrent(page)
    await log.press('Home')
    await expect(log.getByText('Start 1, by you', { exact: true })).toBeVisible()
    await expect(log.getByText(/ request 1 took/u)).toBeVisible()
    await expect(log.getByText(/no longer available/u)).toHaveCount(0)

    await searchOf(page).fill('worker-3 request 31')
    await expect(page.getByText(/^\d+ of 159$/u)).toBeVisible()
    await searchOf(page).press('Enter')
    await expect(log.locator('.hit-current')).toHaveCount(1)
    await searchOf(page).fill('REQUEST 31999 ')
    await expect(page.getByText('1 of 1', { exact: true })).toBeVisible()
    await expect(log.locator('mark')).toHaveText('request 31999 ')
    await page.getByRole('button', { name: 'Match case' }).click()
    await expect(page.getByText('none', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Match case' }).click()

    await page.getByRole('button', { name: 'Regular expression' }).click()
    await searchOf(page).fill(String.raw`request (7|77) took`)
    await expect(page.getByText(/^\d of 2$/u)).toBeVisible()
    await searchOf(page).press('Enter')
    await searchOf(page).press('Shift+Enter')
    await expect(log.locator('mark').first()).toBeVisible()
    await searchOf(page).fill('request (')
    await expect(page.getByText('Invalid pattern: unterminated group.')).toBeVisible()
    await searchOf(page).fill('(x+x+)+y|(\\w+\\s?)+$(?!)')
    await expect(page.getByText(/the pattern takes too long/u)).toBeVisible()
    await expectNoFaults(page, 'a log that is searched')
    await searchOf(page).fill('torrent over')
    await expect(page.getByText('1 of 1', { exact: true })).toBeVisible()
  })

  test(
    'shows lines by level, source and time, and clears only the view',
    { tag: '@gate' },
    async ({ app: { page } }) => {
      const log = await openTorrent(page)
      await choose(page, 'Level', 'Errors')
      await expect(log.locator('.lv-error').first()).toBeVisible()
      await expect(log.locator('.lv-info')).toHaveCount(0)
      await choose(page, 'Level', 'All levels')
      await choose(page, 'Source', 'Patchbay')
      await expect(log.getByText('Start 1, by you', { exact: true })).toBeVisible()
      await expect(log.locator('.lv-info')).toHaveCount(0)
      await choose(page, 'Source', 'All sources')
      await choose(page, 'Time', 'Since last start')
      await expect(log.getByText('torrent over', { exact: true })).toBeVisible()
      await choose(page, 'Time', 'Custom range')
      const dialog = page.getByRole('dialog', { name: 'Show time range' })
      await dialog.getByLabel('From').pressSequentially('01')
      await dialog.getByRole('button', { name: 'Show' }).click()
      await expect(dialog.getByText('Complete this value.')).toBeVisible()
      await expect(dialog.getByLabel('From')).toBeFocused()
      await dialog.getByLabel('From').fill('2020-01-01T00:00:00')
      await dialog.getByLabel('To').fill('2019-01-01T00:00:00')
      await dialog.getByRole('button', { name: 'Show' }).click()
      await expect(dialog.getByText('End must be after start.')).toBeVisible()
      await dialog.getByLabel('To').fill('2021-01-01T00:00:00')
      await dialog.getByRole('button', { name: 'Show' }).click()
      await expect(page.getByRole('heading', { name: 'No matching lines' })).toBeVisible()
      await page.getByRole('button', { name: 'Show all lines' }).click()
      await expect(log.getByText('torrent over', { exact: true })).toBeVisible()

      await more(page, 'Clear view')
      await expect(page.getByRole('heading', { name: 'View cleared' })).toBeVisible()
      await page.getByRole('button', { name: 'Show cleared lines' }).click()
      await expect(log.getByText('torrent over', { exact: true })).toBeVisible()

      await more(page, 'Go to last error')
      await expect(log.locator('.lv-error.is-current')).toBeVisible()
      await more(page, 'Go to last start or stop')
      await expect(log.locator('.lv-mark.is-current')).toBeVisible()
    },
  )

  test('stands still while paused, and counts new lines', async ({ app: { page } }) => {
    await install(page, fixtureServer('chatty.mjs'), 'Chatty')
    await openServer(page, 'Chatty', 'Log')
    const log = logOf(page, 'Chatty')
    await expect(log.getByText(/^line \d+$/u).first()).toBeVisible()
    await page.getByRole('button', { name: 'Pause', exact: true }).click()
    const paused = page.getByRole('button', { name: /^Paused/u })
    await expect(paused).toContainText(/[1-9]\d new lines/u)
    const held = await linesInView(page)
    await expect(paused).toContainText(/\d{3,} new lines/u)
    expect(await linesInView(page)).toEqual(held)
    await paused.click()
    await expect(paused).toBeHidden()
    await expect.poll(() => linesInView(page)).not.toEqual(held)
  })

  test('is saved as text and as JSON Lines, and copied', async ({ app: { page }, profileDir }) => {
    await openTorrent(page)
    const saved = async (act: string): Promise<string> => {
      const [download] = await Promise.all([page.waitForEvent('download'), more(page, act)])
      return readFileSync(await download.path(), 'utf8')
    }
    const text = (await saved('Export as text')).trimEnd().split('\n')
    expect(text.filter((line) => / stderr .* request \d+ took/u.test(line))).toHaveLength(LINES)
    expect(text.at(-1)).toMatch(/Z info stderr torrent over$/u)
    await choose(page, 'Level', 'Errors')
    const json = (await saved('Export as JSON Lines')).trimEnd().split('\n')
    expect(json).toHaveLength(LINES / 8)
    expect(JSON.parse(json[0] ?? '')).toMatchObject({
      server: 'Torrent',
      level: 'error',
      source: 'stderr',
    })
    await choose(page, 'Level', 'All levels')
    const copied = await copiedBy(page, () => more(page, 'Copy lines'))
    await expect(page.getByText('5,000 newest lines copied.', { exact: true })).toBeVisible()
    expect(copied.trimEnd().split('\n')).toHaveLength(5_000)
    await more(page, 'Show log file')
    await expect(page.getByText(new RegExp(`^Log file: ${profileDir}/logs/`, 'u'))).toBeVisible()
  })

  test("merges several servers' logs in order", async ({ app: { page } }) => {
    await install(page, fixtureServer('noisy.mjs'), 'First')
    await installReady(page, fixtureServer('noisy.mjs'), 'Second')
    await openServer(page, 'First', 'Log')
    await more(page, 'Show logs of all servers')
    const log = page.getByRole('log', { name: 'Logs of several servers' })
    const welcomes = log.locator('.line', { hasText: 'Welcome to the noisy server' })
    await expect(welcomes).toHaveCount(2)
    await expect(welcomes.locator('.from')).toHaveText(['First', 'Second'])
    await searchOf(page).fill('welcome')
    await expect(page.getByText('2 of 2', { exact: true })).toBeVisible()
    await expectNoFaults(page, 'the logs of several servers')
    await page.getByRole('button', { name: 'Servers: All servers' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'First' }).click()
    await page.keyboard.press('Escape')
    const second = logOf(page, 'Second')
    await expect(second.getByText('Welcome to the noisy server')).toBeVisible()
    await expect(second.locator('.from')).toHaveCount(0)
    await goTo(page, 'Servers')
    await page.getByRole('link', { name: 'Logs', exact: true }).click()
    await expect(welcomes).toHaveCount(2)
  })
})
