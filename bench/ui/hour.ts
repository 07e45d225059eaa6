import { setTimeout as delay } from 'node:timers/promises'

import type { CDPSession, Page } from '@playwright/test'

import type { Peer } from '../gateway/peer'
import { type Measurement, toRow } from '../measure/row'
import { ServedLine } from '../supervise/served-line'
import { BARS } from './bars'
import { type FullApp, untilAllReady } from './full-app'
import { SCREENS, showScreen } from './screens'
import { firstToolOf, nameOf, TALKERS } from './ui-desk'

const MB = 1_000_000
const MINUTES = 60
/** Of the same kind, before the first look at the heap: each screen is opened and each kept list is begun. */
const WARM_UP_MINUTES = 10
const CALLS_A_MINUTE = 8
/** Lines that a server writes in a minute, ten a second. */
const LINES_A_MINUTE = 600
const RESTART_EVERY = 2
const REFRESH_EVERY = 10
const TABS = ['log', 'traffic', 'tools', 'overview']
/** What is drawn last after a minute's events, in ms. */
const SETTLE_MS = 250
const READY_LIMIT_MS = 20_000
const LOOKS = 3

/**
 * What the page's heap holds more after an hour of ordinary use, played in about a minute, everything collected that nobody
 * holds. Each of its 60 minutes: an agent calls eight tools of eight servers; a server whose log is open or was looked at writes
 * 600 lines; one screen and one tab of a server's page are opened, in turn. Every second minute a server is started
 * again, every tenth the registries are asked for news. Time itself does not pass faster: what the page does by the
 * clock, such as "2 min ago", is not in it.
 */
export async function simulatedHour(app: FullApp, page: Page): Promise<Measurement> {
  const cdp = await page.context().newCDPSession(page)
  const agent = await app.connect()
  using line = await ServedLine.open(await app.served.anotherLink())
  try {
    const ids = await idsOf(page)
    const use = { app, page, agent, line, ids }
    for (let minute = 0; minute < WARM_UP_MINUTES; minute += 1) await playMinute(use, minute)
    const heaps = [await heapOf(cdp, app, page)]
    for (let minute = 0; minute < MINUTES; minute += 1) {
      await playMinute(use, minute)
      if ((minute + 1) % (MINUTES / 4) === 0) heaps.push(await heapOf(cdp, app, page))
    }
    const growth = (heaps.at(-1) ?? Number.NaN) - (heaps[0] ?? Number.NaN)
    return {
      row: toRow(BARS.heap, growth),
      rounds: { 'heap each quarter': heaps },
      roundUnit: 'MB',
    }
  } finally {
    agent.close()
    await cdp.detach()
  }
}

type Use = {
  readonly app: FullApp
  readonly page: Page
  readonly agent: Peer
  readonly line: ServedLine
  /** The id of each server, by its name. */
  readonly ids: ReadonlyMap<string, string>
}

async function playMinute({ app, page, agent, line, ids }: Use, minute: number): Promise<void> {
  const { servers } = app.amount
  const screen = SCREENS[minute % SCREENS.length]
  if (screen) await showScreen(page, screen)
  const talker = minute % TALKERS
  await agent.call(firstToolOf(talker), { lines: LINES_A_MINUTE })
  for (let call = 1; call < CALLS_A_MINUTE; call += 1)
    await agent.call(
      firstToolOf(TALKERS + ((minute * CALLS_A_MINUTE + call) % (servers - TALKERS))),
      {},
    )
  const tab = TABS[Math.floor(minute / TALKERS) % TABS.length] ?? ''
  await page.evaluate(`location.hash = '#/servers/${ids.get(nameOf(talker)) ?? ''}/${tab}'`)
  if (minute % RESTART_EVERY === 0)
    await restart(line, ids, nameOf(TALKERS + (minute % (servers - TALKERS))))
  if (minute % REFRESH_EVERY === 0) line.ask('catalog.sync', {})
  await page.waitForTimeout(SETTLE_MS)
}

async function restart(line: ServedLine, ids: Use['ids'], name: string): Promise<void> {
  line.changes.delete(name)
  line.ask('server.restart', { installationId: ids.get(name) ?? '' })
  const until = performance.now() + READY_LIMIT_MS
  while (line.changes.get(name)?.at(-1)?.kind !== 'ready') {
    if (performance.now() > until) throw new Error(`${name} did not come back.`)
    await delay(20)
  }
}

/** In MB, of the least of some looks, on the first screen. */
async function heapOf(cdp: CDPSession, app: FullApp, page: Page): Promise<number> {
  const [home] = SCREENS
  if (home) await showScreen(page, home)
  await untilAllReady(page, app.amount)
  const sizes: number[] = []
  for (let look = 0; look < LOOKS; look += 1) {
    await page.waitForTimeout(SETTLE_MS)
    await cdp.send('HeapProfiler.collectGarbage')
    const { usedSize } = await cdp.send('Runtime.getHeapUsage')
    sizes.push(usedSize / MB)
  }
  return Math.min(...sizes)
}

async function idsOf(page: Page): Promise<ReadonlyMap<string, string>> {
  return new Map(
    await page.evaluate<[string, string][]>(
      `[...document.querySelectorAll('nav[aria-label="Your servers"] a')].map((link) => [
        link.getAttribute('aria-label').split(', ')[0],
        link.getAttribute('href').split('/').at(-1),
      ])`,
    ),
  )
}
