import type { Page } from '@playwright/test'

import { goTo } from './fixtures/drive'
import { keepCalls } from './fixtures/kept-calls'
import { expect, test } from './fixtures/patchbay-test'
import { testCall } from './fixtures/test-calls'

function calls(first: number, count: number): ReturnType<typeof testCall>[] {
  return Array.from({ length: count }, (_, index) => testCall({ target: `live_${first + index}` }))
}

async function openActivity(page: Page, query: string): Promise<void> {
  await goTo(page, 'Activity')
  await page.getByRole('searchbox', { name: 'Search calls' }).fill(query)
}

test("D6: new calls appear on top without moving a reader's rows", async ({
  openServe,
  openWindow,
  profileDir,
}) => {
  // The search excludes one, so that its result differs from the earlier list.
  keepCalls(profileDir, [testCall({ target: 'other' }), ...calls(0, 200)])
  const served = await openServe()
  const page = await openWindow(served.link)
  const other = await openWindow(await served.anotherLink())
  const hit = (name: string) => page.getByRole('button', { name, exact: true })
  await openActivity(page, 'live')
  await expect(hit('live_199')).toBeVisible()
  // No response may arrive in the middle of the following.
  await expect(page.getByText('200 found')).toBeVisible()
  let next = 200
  // A query from any window makes the new ones known to all.
  const come = async (count: number): Promise<void> => {
    keepCalls(profileDir, calls(next, count))
    next += count
    await goTo(other, 'Home')
    await openActivity(other, `live_${next - 1}`)
    await expect(other.getByText('1 found')).toBeVisible()
  }

  await come(3)
  await expect(hit('live_202')).toBeInViewport()
  await expect(page.getByText('203 found')).toBeVisible()

  const region = page.getByRole('region', { name: 'Calls', exact: true })
  await region.hover()
  await page.mouse.wheel(0, 2_000)
  await expect(hit('live_202')).toHaveCount(0)
  const rows = page.locator('.call-row')
  const read = await rows.allTextContents()
  await come(2)
  const pill = page.getByRole('button', { name: '2 new calls' })
  await expect(pill).toBeVisible()
  expect(await rows.allTextContents()).toEqual(read)
  await come(1)
  await page.getByRole('button', { name: '3 new calls' }).click()
  await expect(hit('live_205')).toBeInViewport()
  await expect(page.getByRole('button', { name: /new call/u })).toHaveCount(0)

  // The focused row doesn't move either.
  await hit('live_205').focus()
  await come(1)
  await expect(page.getByRole('button', { name: '1 new call' })).toBeVisible()
  await expect(hit('live_205')).toBeFocused()
  await hit('live_205').press('Enter')
  await expect(page.getByRole('region', { name: 'live_205' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '1 new call' }).click()
  await expect(hit('live_206')).toBeInViewport()
})
