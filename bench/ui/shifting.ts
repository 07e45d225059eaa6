import type { Page } from '@playwright/test'

import { type Measurement, toRow } from '../measure/row'
import { ServedLine } from '../supervise/served-line'
import { BARS } from './bars'
import { type FullApp, openWindow, untilAllReady } from './full-app'
import { SCREENS, showScreen } from './screens'

/** What comes late on a screen has come by then, in ms. */
const STAY_MS = 400
const WALKS = 2

/**
 * The sum of the layout shifts that nobody asked for: while the page is opened as Patchbay has just been started, on a walk through
 * all screens while the servers start, and on another while they are all started again. The walk goes by
 * addresses, not by clicks, so that no shift is forgiven because somebody had just clicked.
 */
export async function shifting(app: FullApp): Promise<Measurement> {
  const page = await openWindow(app, { script: WATCH })
  try {
    await page.getByRole('navigation', { name: 'Your servers' }).waitFor()
    await page.waitForTimeout(STAY_MS)
    const sums = [await sumOf(page)]
    await walk(page)
    sums.push(await sumOf(page))
    await untilAllReady(page, app.amount)
    using line = await ServedLine.open(await app.served.anotherLink())
    const ids = await page.evaluate<string[]>(SERVER_IDS)
    for (const installationId of ids) line.ask('server.restart', { installationId })
    await walk(page)
    await untilAllReady(page, app.amount)
    sums.push(await sumOf(page))
    const rounds = { 'opening, starting, starting again': sums }
    return { row: toRow(BARS.shift, sums.at(-1) ?? Number.NaN), rounds, roundUnit: 'x' }
  } finally {
    await page.context().close()
  }
}

async function walk(page: Page): Promise<void> {
  for (let walks = 0; walks < WALKS; walks += 1)
    for (const screen of SCREENS) {
      await showScreen(page, screen)
      await page.waitForTimeout(STAY_MS)
    }
}

function sumOf(page: Page): Promise<number> {
  return page.evaluate<number>('globalThis.shifted()')
}

/** Runs in the page before all else. */
const WATCH = `{
  const seen = { sum: 0 }
  const take = (entries) => {
    for (const { value, hadRecentInput } of entries) if (!hadRecentInput) seen.sum += value
  }
  const observer = new PerformanceObserver((list) => take(list.getEntries()))
  observer.observe({ type: 'layout-shift', buffered: true })
  globalThis.shifted = () => {
    take(observer.takeRecords())
    return seen.sum
  }
}`

/** Runs in the page: the ids of all servers. */
const SERVER_IDS = `[...document.querySelectorAll('nav[aria-label="Your servers"] a')].map((link) =>
  link.getAttribute('href').split('/').at(-1))`
