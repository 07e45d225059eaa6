import type { Browser, Page } from '@playwright/test'

import { goTo } from '../forms/served-page'
import type { BenchPlan } from '../measure/bench'
import type { Bar, Measurement } from '../measure/row'
import { scrollTasks } from '../measure/scroll-tasks'

const BAR: Bar = {
  metric: 'traffic-5000-rows-scroll-longest-task-p99-ms',
  unit: 'ms',
  op: '<=',
  bar: 33,
}
const LIST = { selector: '.traffic-scroll', from: 'end', mostRounds: 5 } as const
const READY_LIMIT_MS = 120_000
const MOST_DRAWN = 100

/** How smoothly 5,000 messages scroll; see `scrollTasks`. */
export async function messageScrolling(
  browser: Browser,
  page: Page,
  installationId: string,
  { rounds }: BenchPlan,
): Promise<Measurement> {
  await goTo(page, `#/servers/${installationId}/traffic`)
  await page.getByText('5,000 messages', { exact: true }).waitFor({ timeout: READY_LIMIT_MS })
  const measured = await scrollTasks(browser, page, { list: LIST, bar: BAR, rounds })
  if ((await page.locator('.traffic-row').count()) > MOST_DRAWN)
    throw new Error('Too many rows are drawn.')
  return measured
}
