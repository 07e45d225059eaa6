import type { Browser, Page } from '@playwright/test'

import { longestTasks, type TraceEvent } from '../forms/main-thread'
import type { BenchPlan } from './bench'
import { percentile } from './percentile'
import { type Bar, type Measurement, toRow } from './row'

/** Frames from one end of the list to the other: each shows other rows, and none for long. */
const FRAMES = 400
/** Turns of the wheel before that, as fast as they are taken, in px. */
const TURNS = 60
const TURN_PX = 600
const REST_MS = 500

export type ScrolledList = {
  /** Of the element that scrolls. */
  readonly selector: string
  /** Where each round begins. */
  readonly from: 'start' | 'end'
  readonly mostRounds: number
}

/**
 * Turns the wheel over a list, then goes through all of it from frame to frame, and takes for each step the longest task of
 * the page's main thread until the next; of all steps the 99th percentile.
 */
export async function scrollTasks(
  browser: Browser,
  page: Page,
  {
    list,
    bar,
    rounds,
  }: Pick<BenchPlan, 'rounds'> & { readonly list: ScrolledList; readonly bar: Bar },
): Promise<Measurement> {
  const { selector, from, mostRounds } = list
  const all: number[] = []
  const p99: number[] = []
  for (let round = 0; round < Math.min(rounds, mostRounds); round += 1) {
    const steps = from === 'start' ? [0] : [1]
    await page.evaluate(`(${SCROLL})(${JSON.stringify([selector, steps])})`)
    await page.waitForTimeout(REST_MS)
    await page.locator(selector).hover()
    await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] })
    const turn = from === 'start' ? TURN_PX : -TURN_PX
    for (let turns = 0; turns < TURNS; turns += 1) await page.mouse.wheel(0, turn)
    await page.evaluate(`(${SCROLL})(${JSON.stringify([selector, allSteps(from)])})`)
    await page.waitForTimeout(REST_MS)
    const trace = await browser.stopTracing()
    const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] }
    const longest = longestTasks(traceEvents, 'scroll')
    if (longest.length < FRAMES) throw new Error(`Only ${longest.length} steps are in the trace.`)
    all.push(...longest)
    p99.push(percentile(longest, 0.99))
  }
  return { row: toRow(bar, percentile(all, 0.99)), rounds: { p99 }, roundUnit: 'ms' }
}

/** The places of all frames, as parts of the whole way from the start of the list. */
function allSteps(from: ScrolledList['from']): number[] {
  const steps = Array.from({ length: FRAMES + 1 }, (_, step) => step / FRAMES)
  return from === 'start' ? steps.slice(1) : steps.reverse()
}

/** Runs in the page: one frame for each place. */
const SCROLL = `async ([selector, steps]) => {
  const list = document.querySelector(selector)
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  for (const step of steps) {
    list.scrollTo({ top: (list.scrollHeight - list.clientHeight) * step })
    await frame()
  }
}`
