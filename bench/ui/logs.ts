import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'

import type { Page } from '@playwright/test'

import { Harness } from '../../e2e/fixtures/harness'
import { documentFile } from '../../src-main/core/installation/store/document-over-conf'
import type { BenchPart, BenchPlan } from '../measure/bench'
import { median } from '../measure/median'
import { percentile } from '../measure/percentile'
import { within } from '../measure/rounds'
import { type Measurement, toRow } from '../measure/row'
import { goTo, openServedPage } from '../measure/served-page'
import { BARS } from './bars'

const PROGRAM = resolve('e2e/servers/torrent.mjs')
const A_SECOND = 50_000
/** Fewer than a log holds in memory. */
const LINES = 90_000
/** The longest task per span counts, measured by a timer with this interval, in ms. */
const SPAN_MS = 100
const TICK_MS = 4
const LIMIT_MS = 180_000
const SEARCH_LIMIT_MS = 30_000
/** Searches, another text in each round: everywhere, in one line of a thousand, by a pattern, and in few lines. */
const SEARCHES: Readonly<Record<string, (round: number) => string>> = {
  frequent: (round) => `request ${String(round + 1)}`,
  rare: (round) => `/api/items/${String(777 + round)}`,
  pattern: (round) => String.raw`request \d*${String(42 + round)} took 1\d ms`,
  twice: (round) => `request ${String(4711 + round)} took`,
}

/** A log with 50,000 lines per second, then searches through it. */
export const logSpeed: BenchPart = async (plan) => {
  const filled: { installationId?: string } = {}
  const { page, close } = await openServedPage(async (profileDir) => {
    filled.installationId = await fill(profileDir)
  })
  try {
    const address = `#/servers/${filled.installationId ?? ''}/log`
    await goTo(page, address)
    const tasks = await flood(page, 1)
    const lost = await countLost(page, LINES)
    await flood(page, 2)
    return [tasks, lost, await searching(page, plan)]
  } finally {
    await close()
  }
}

async function fill(profileDir: string): Promise<string> {
  const harness = new Harness()
  await harness.call('settings.update', { catalogUpkeep: false })
  const args = [PROGRAM, String(A_SECOND), String(LINES)]
  const installationId = await harness.installStopped({
    ...{ name: 'bench.fixture/torrent', description: 'Writes many lines.', version: '1.0.0' },
    packages: [
      {
        ...{ registryType: 'cargo', identifier: 'node', version: '1.0.0' },
        transport: { type: 'stdio' },
        packageArguments: args.map((value) => ({ type: 'positional', value })),
      },
    ],
  })
  await harness.close()
  const text = JSON.stringify(harness.memory.document)
  writeFileSync(documentFile(profileDir), text, { mode: 0o600 })
  return installationId
}

/** Starts the server with its log in view and waits for its last line; meanwhile a timer in the page measures blocked time. */
async function flood(page: Page, start: 1 | 2): Promise<Measurement> {
  const log = page.getByRole('log')
  await page.getByRole('button', { name: start === 1 ? 'Start' : 'Restart', exact: true }).click()
  await expectStart(page, start)
  await page.evaluate(TICK)
  await log.getByText('torrent over', { exact: true }).waitFor({ timeout: LIMIT_MS })
  const longest = await page.evaluate<number[]>('ticks.end()')
  const rounds = { longest: longest.toSorted((a, b) => b - a).slice(0, 9) }
  return { row: toRow(BARS.logTasks, percentile(longest, 0.99)), rounds, roundUnit: 'ms' }
}

/** Waits for this start's lines, not those of the previous one. */
async function expectStart(page: Page, start: number): Promise<void> {
  if (start > 1) await page.getByText('torrent over', { exact: true }).waitFor({ state: 'hidden' })
  await page
    .getByText(/request \d+ took/u)
    .first()
    .waitFor()
}

/** Runs in the page: a timer that ticks every 4 ms, and the longest gap in each span of 100 ms. */
const TICK = `{
  const longest = []
  const begin = performance.now()
  const clock = { last: begin, timer: 0 }
  const tick = () => {
    const now = performance.now()
    const span = Math.floor((now - begin) / ${String(SPAN_MS)})
    while (longest.length <= span) longest.push(0)
    longest[span] = Math.max(longest[span], now - clock.last - ${String(TICK_MS)})
    clock.last = now
    clock.timer = setTimeout(tick, ${String(TICK_MS)})
  }
  clock.timer = setTimeout(tick, ${String(TICK_MS)})
  globalThis.ticks = {
    end: () => {
      clearTimeout(clock.timer)
      return longest
    },
  }
}`

/** Lines missing for the user, counted in the view's export. */
async function countLost(page: Page, written: number): Promise<Measurement> {
  await page.getByTestId('log-actions').click()
  const [download] = await Promise.all([
    page.waitForEvent('download', { timeout: LIMIT_MS }),
    page.getByTestId('export-text').click(),
  ])
  const text = readFileSync(await download.path(), 'utf8')
  const seen = text.match(/ request \d+ took /gu)?.length ?? 0
  return { row: toRow(BARS.logLost, written - seen), rounds: { seen: [seen] }, roundUnit: 'count' }
}

/** Time from typing until the first match is shown and marked; the slowest search. */
async function searching(page: Page, { rounds }: BenchPlan): Promise<Measurement> {
  await page.evaluate(PAINTED)
  const times: Record<string, number[]> = {}
  for (const [name, textOf] of Object.entries(SEARCHES)) {
    const isPattern = name === 'pattern'
    const button = page.getByTestId('log-regex')
    if (((await button.getAttribute('aria-pressed')) === 'true') !== isPattern) await button.click()
    const all: number[] = []
    for (let round = 0; round <= rounds; round += 1) {
      const text = textOf(round)
      const searched = page.evaluate<number>(`(${SEARCH})(${JSON.stringify(text)})`)
      const ms = await within(SEARCH_LIMIT_MS, `searching ${text}`, searched)
      if (round > 0) all.push(ms)
    }
    times[name] = all
  }
  const medians = Object.values(times).map(median)
  return { row: toRow(BARS.logSearch, Math.max(...medians)), rounds: times, roundUnit: 'ms' }
}

/** Defines `painted(isThere)` in a page: the ms until a frame shows it. */
const PAINTED = `globalThis.painted = (isThere) =>
  new Promise((resolve) => {
    const begin = performance.now()
    const look = () => {
      if (!isThere()) return requestAnimationFrame(look)
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => resolve(performance.now() - begin)
      port2.postMessage(0)
    }
    requestAnimationFrame(look)
  })`

/** Runs in the page: types the text in one step, starting from the newest line each time. */
const SEARCH = `async (text) => {
  const input = document.querySelector('#main [role=searchbox]')
  const write = (value) => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, value)
    input.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
  write('')
  await painted(() => document.querySelector('[role=log] mark') === null)
  document.querySelector('[data-testid=follow]')?.click()
  await pause(400)
  write(text)
  const ms = await painted(() => document.querySelector('[role=log] mark') !== null)
  await pause(1500)
  return ms
}`
