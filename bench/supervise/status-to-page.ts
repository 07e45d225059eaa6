import { setTimeout as delay } from 'node:timers/promises'

import type { Page } from '@playwright/test'

import { openServedPage } from '../forms/served-page'
import type { BenchPart } from '../measure/bench'
import { median } from '../measure/median'
import { percentile } from '../measure/percentile'
import { within } from '../measure/rounds'
import { type Bar, toRow } from '../measure/row'
import { ServedLine } from './served-line'
import { shownAfter, type StatusMoment } from './shown-after'
import { fillWithTwenty, untilTwentyReady } from './twenty-servers'

const ROUND_LIMIT_MS = 60_000
const PAUSE_MS = 25
/** What a page that shows nothing new for so long has shown all. */
const QUIET_MS = 500

const BAR: Bar = { metric: 'status-event-to-page-p95-ms', unit: 'ms', op: '<=', bar: 50 }

/**
 * From the moment main changes a server's status until the page's list shows it, while twenty servers are
 * started again one after the other (four changes each); both read the clock of this computer. The first
 * round warms up.
 */
export const statusToPage: BenchPart = async ({ rounds }) => {
  const { served, page, close } = await openServedPage(fillWithTwenty)
  try {
    await untilTwentyReady(page)
    using line = await ServedLine.open(await served.anotherLink())
    const p95: number[] = []
    for (let round = 0; round <= rounds; round += 1) {
      const delays = await within(ROUND_LIMIT_MS, 'a round of restarts', restartAll(page, line))
      if (round > 0) p95.push(percentile(delays, 0.95))
    }
    return [{ row: toRow(BAR, median(p95)), rounds: { p95 }, roundUnit: 'ms' }]
  } finally {
    await close()
  }
}

async function restartAll(page: Page, line: ServedLine): Promise<number[]> {
  line.changes.clear()
  await page.evaluate(WATCH)
  for (const [installationId, name] of await page.evaluate<[string, string][]>(SERVERS)) {
    line.ask('server.restart', { installationId })
    while (line.changes.get(name)?.at(-1)?.kind !== 'ready') await delay(PAUSE_MS)
  }
  await delay(QUIET_MS)
  const sights = await page.evaluate<Record<string, StatusMoment[]>>('statusSights')
  return [...line.changes].flatMap(([name, changes]) => shownAfter(changes, sights[name] ?? []))
}

/** Runs in the page: notes each status that the list of servers comes to show, by the server's name. */
const WATCH = `{
  globalThis.statusWatch?.disconnect()
  globalThis.statusSights = {}
  globalThis.statusWatch = new MutationObserver((records) => {
    const at = Date.now()
    for (const { target } of records) {
      const [name, word] = target.getAttribute('aria-label')?.split(', ') ?? []
      if (word) (statusSights[name] ??= []).push({ kind: word.toLowerCase(), at })
    }
  })
  const list = document.querySelector('nav[aria-label="Your servers"]')
  statusWatch.observe(list, { subtree: true, attributeFilter: ['aria-label'] })
}`

/** Runs in the page: the id and the name of each server of the list. */
const SERVERS = `[...document.querySelectorAll('nav[aria-label="Your servers"] a')].map((link) => [
  link.getAttribute('href').split('/').at(-1),
  link.getAttribute('aria-label').split(', ')[0],
])`
