import type { Page } from '@playwright/test'

import { openAgent } from './fixtures/apps-page'
import { expectNoFaults } from './fixtures/axe-faults'
import { expectStatus, openServer, paste, serverLink } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { freePort } from './fixtures/free-port'
import { detail, openTalks, part, rowOf, rows } from './fixtures/messages-page'
import { expect, test } from './fixtures/patchbay-test'

// Messages are counted, so health checks are off.
test.use({
  settings: async ({}, use) => use({ gatewayPort: await freePort(), healthChecks: false }),
})

/** Presses keys before the page can render the first one's effect, as on a busy computer. */
async function pressAtOnce(page: Page, keys: readonly string[]): Promise<void> {
  await page.evaluate(`(async () => {
    for (const key of ${JSON.stringify(keys)}) {
      const how = { key, bubbles: true, cancelable: true }
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', how))
      await null
    }
  })()`)
}

test.describe("D5: a server's messages", () => {
  test('are read, repeated and cleared by keyboard alone, and kept while the server is stopped', async ({
    app: { page },
    settings,
  }) => {
    await paste(page, fixtureServer('plain.mjs'))
    await page.getByRole('button', { name: 'Save for later' }).click()
    await openServer(page, 'plain', 'Messages')
    await expect(page.getByRole('heading', { name: 'No messages yet' })).toBeVisible()
    await expect(page.getByText(/^Start plain to see/u)).toBeVisible()

    await openTalks(page)
    const client = await openAgent(page, settings.gatewayPort)
    await client.callTool({ name: 'Talks__echo', arguments: { text: 'hello messages' } })
    await client.callTool({ name: 'Talks__reads' })
    await serverLink(page, 'Talks').press('Enter')
    await page.getByRole('tab', { name: 'Logs' }).press('Enter')
    await page.getByRole('radio', { name: 'Messages' }).press('Space')
    await expect(rowOf(page, 'tools/call reads, result from the server')).toBeVisible()

    await page.keyboard.press('/')
    await expect(page.getByRole('searchbox', { name: 'Search messages' })).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(rows(page).first()).toBeFocused()
    await expect(detail(page)).toHaveCount(0)
    await page.keyboard.press('End')
    await expect(rowOf(page, 'tools/call reads, result from the server')).toBeFocused()
    await expect(part(page, 'Response')).toContainText('read')
    await page.keyboard.press('Enter')
    const reads = rowOf(page, 'tools/call reads, request to the server').first()
    await expect(reads).toBeFocused()
    await expect(reads).toHaveAttribute('aria-current', 'true')
    await expect(
      part(page, 'Response').getByRole('button', { name: 'Go to response' }),
    ).toBeVisible()

    const before = await rows(page).count()
    await detail(page).getByRole('button', { name: 'Replay' }).press('Enter')
    // The tool is read-only, so no question is asked.
    await expect(part(page, 'New response')).toContainText('read')
    await expect(rows(page)).toHaveCount(before + 2)
    await reads.focus()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    const echo = rowOf(page, 'tools/call echo, request to the server').first()
    await expect(echo).toBeFocused()
    await expect(part(page, 'New response')).toHaveCount(0)
    await detail(page).getByRole('button', { name: 'Replay' }).press('Enter')
    const dialog = page.getByRole('alertdialog', { name: 'Call echo again?' })
    await expect(dialog).toContainText(
      'echo is not marked as safe: it may delete or overwrite data.',
    )
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await expectNoFaults(page, 'a question')
    await page.keyboard.press('Tab')
    await expect(dialog.getByRole('button', { name: 'Call again' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(part(page, 'New response')).toContainText('hello messages')
    await expectNoFaults(page, 'a new answer')
    await page.keyboard.press('Escape')
    await expect(detail(page)).toHaveCount(0)
    await expect(echo).toBeFocused()
    await expect(rows(page)).toHaveCount(before + 4)

    await page.getByRole('button', { name: 'Restart', exact: true }).press('Enter')
    await expect(page.getByText(/^Session 2, /u)).toBeVisible()
    await page.getByRole('button', { name: 'Stop', exact: true }).press('Enter')
    await expectStatus(page, 'Talks', 'Stopped')
    await expect(page.getByText(/^Session 1, /u)).toBeVisible()
    await page.getByRole('button', { name: 'Clear messages' }).press('Enter')
    const sure = page.getByRole('alertdialog', { name: 'Clear messages?' })
    await expect(sure.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await sure.getByRole('button', { name: 'Clear messages' }).press('Enter')
    await expect(page.getByRole('heading', { name: 'No messages yet' })).toBeVisible()
    await expect(page.getByRole('main')).toBeFocused()
    await page.getByRole('button', { name: 'Start', exact: true }).press('Enter')
    await expect(page.getByText(/^Session 3, /u)).toBeVisible()
    await expect(rowOf(page, 'initialize, request to the server')).toHaveCount(1)
    await client.close()
  })

  test('with 5,000 rows render only visible ones, follow the newest, and stand still for a reader', async ({
    app: { page },
    settings,
  }) => {
    await openTalks(page)
    const client = await openAgent(page, settings.gatewayPort)
    const call = (name: string, args: Record<string, unknown> = {}) =>
      client.callTool({ name: `Talks__${name}`, arguments: args })
    await openServer(page, 'Talks', 'Messages')
    await expect(rowOf(page, 'tools/list, result from the server')).toBeVisible()
    await call('flood', { count: 6_000 })
    await expect(page.getByText('5,000 messages', { exact: true })).toBeVisible()
    const newest = rowOf(page, 'tools/call flood, result from the server')
    await expect(newest).toBeVisible()
    expect(await rows(page).count()).toBeLessThan(100)

    await newest.click()
    await expect(newest).toBeFocused()
    // Each key counts from the previous one's position.
    await pressAtOnce(page, ['Home', 'PageDown', 'PageDown'])
    const read = page.getByRole('row').filter({ has: page.locator(':focus') })
    const time = read.getByRole('cell').first()
    await expect(time).toBeInViewport()
    await expect(read.getByRole('button')).toHaveAttribute('data-index', /^\d\d$/u)
    const held = [await time.innerText(), await read.getByRole('button').getAttribute('data-index')]
    const back = page.getByRole('button', { name: 'Jump to latest' })
    await expect(back).toBeVisible()
    await call('echo', { text: 'one more' })
    const two = page.getByRole('button', { name: '2 new messages' })
    await expect(two).toBeVisible()
    // The two oldest were dropped.
    await expect(read.getByRole('button')).toHaveAttribute(
      'data-index',
      String(Number(held[1]) - 2),
    )
    await expect(time).toHaveText(held[0] ?? '')
    await expect(time).toBeInViewport()
    await two.click()
    await expect(rowOf(page, 'tools/call echo, result from the server')).toBeVisible()
    await expect(two).toBeHidden()

    await page.getByRole('button', { name: 'Pause', exact: true }).click()
    await call('echo', { text: 'while it was paused' })
    await page.getByRole('searchbox', { name: 'Search messages' }).fill('line 5999"')
    await expect(rows(page)).toHaveCount(1)
    await page.getByRole('searchbox', { name: 'Search messages' }).fill('')
    await page.getByRole('button', { name: 'Resume', exact: true }).click()
    await expect(rowOf(page, 'tools/call echo, result from the server')).toHaveCount(2)
    await client.close()
  })
})
