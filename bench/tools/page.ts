import type { Page } from '@playwright/test'

import { openServedPage, type ServedPage } from '../forms/served-page'
import type { BenchPart, BenchPlan } from '../measure/bench'
import { median } from '../measure/median'
import { percentile } from '../measure/percentile'
import { interleave } from '../measure/rounds'
import { type Bar, type Measurement, toRow } from '../measure/row'
import { LISTED, ListingHarness } from './listing-desk'

const PAINTED: Bar = { metric: 'list-2000-painted-ms', unit: 'ms', op: '<=', bar: 200 }
const KEYSTROKE: Bar = { metric: 'filter-keystroke-p95-ms', unit: 'ms', op: '<=', bar: 30 }
const ROUND_LIMIT_MS = 60_000
const READY_LIMIT_MS = 120_000
/** Somebody who types fast. */
const KEY_EVERY_MS = 90
/** Words that many, few and no tools have; each is taken back letter by letter. */
const TEXTS = ['reads page', 'part_19', '3_part 7', 'nowhere', 'gives it back as text']

/** What a user feels who looks at 2,000 tools in Chromium. */
export const pageSpeed: BenchPart = async (plan) => {
  using harness = new ListingHarness()
  const opened = await openServedPage((profileDir) => harness.fill(profileDir))
  try {
    const all = new RegExp(`^Tools, ${String(LISTED)} for agents$`, 'u')
    await opened.page.getByRole('link', { name: all }).waitFor({ timeout: READY_LIMIT_MS })
    return [await paintings(opened, plan), await keystrokes(opened.page, plan)]
  } finally {
    await opened.close()
  }
}

/** From the wish to see the tools, in a window that has not read them yet, until their rows are painted. */
async function paintings(opened: ServedPage, { rounds }: BenchPlan): Promise<Measurement> {
  const { browser, served } = opened
  const list = async (): Promise<number> => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 820 } })
    try {
      await page.goto(await served.anotherLink())
      await page.getByRole('link', { name: /^Tools,/u }).waitFor()
      return await page.evaluate<number>(UNTIL_PAINTED)
    } finally {
      await page.close()
    }
  }
  const times = await interleave({ list }, { rounds, limitMs: ROUND_LIMIT_MS })
  return { row: toRow(PAINTED, median(times.list)), rounds: times, roundUnit: 'ms' }
}

/** From each key in the search until the list that answers to it is painted; of all keys the 95th percentile. */
async function keystrokes(page: Page, { rounds }: BenchPlan): Promise<Measurement> {
  await page.evaluate("location.hash = '#/tools'")
  await page.locator('.tool-row').first().waitFor()
  await page.evaluate(WATCH)
  await page.getByRole('searchbox', { name: 'Search tools' }).click()
  const every = { delay: KEY_EVERY_MS }
  const p95: number[] = []
  const all: number[] = []
  for (let round = 0; round < Math.min(rounds, 3); round += 1) {
    for (const text of TEXTS) {
      await page.keyboard.type(text, every)
      await expectFound(page, text)
      for (let left = text.length; left > 0; left -= 1)
        await page.keyboard.press('Backspace', every)
    }
    const delays = await page.evaluate<number[]>('typed.splice(0)')
    const keys = 2 * TEXTS.join('').length
    if (delays.length !== keys) throw new Error(`${delays.length} of ${keys} keys were painted.`)
    all.push(...delays)
    p95.push(percentile(delays, 0.95))
  }
  return { row: toRow(KEYSTROKE, percentile(all, 0.95)), rounds: { p95 }, roundUnit: 'ms' }
}

/** What is painted must be the answer: the rows have every word that was typed. */
async function expectFound(page: Page, text: string): Promise<void> {
  const rows = await page.locator('.tool-row').allInnerTexts()
  const words = text.split(' ')
  const isFound = rows.every((row) => words.every((word) => row.toLowerCase().includes(word)))
  if (!isFound || (rows.length === 0) !== (text === 'nowhere'))
    throw new Error(`The list does not answer to “${text}”.`)
}

/** Runs in the page. */
const UNTIL_PAINTED = `new Promise((resolve) => {
  const begin = performance.now()
  location.hash = '#/tools'
  const look = () => {
    if (document.querySelector('.tool-row') === null) return requestAnimationFrame(look)
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => resolve(performance.now() - begin)
    port2.postMessage(0)
  }
  requestAnimationFrame(look)
})`

/** Runs in the page: the list is drawn with the key itself, so that the next frame shows it. */
const WATCH = `{
  const typed = (globalThis.typed = [])
  const key = { at: 0 }
  document.addEventListener('keydown', ({ timeStamp }) => (key.at = timeStamp), true)
  document.addEventListener('input', () => {
    const begun = key.at
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => typed.push(performance.now() - begun)
      port2.postMessage(0)
    })
  }, true)
}`
