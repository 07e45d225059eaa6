import type { BenchPart } from '../measure/bench'
import { percentile } from '../measure/percentile'
import { type Bar, toRow } from '../measure/row'
import { largestEntry } from './largest-entry'
import { longestTasks, type TraceEvent } from './main-thread'
import { addEntry, goTo, openServedPage } from './served-page'

const TEXT = 'the quick brown fox jumps over the lazy dog '
const KEY_EVERY_MS = 80
const BAR: Bar = { metric: 'typing-longest-task-p95-ms', unit: 'ms', op: '<=', bar: 16 }

/**
 * Types into a field of the largest form and takes, for each key, the longest task of the page's main thread
 * until the next key; of all keys the 95th percentile.
 */
export const typingSpeed: BenchPart = async ({ rounds }) => {
  const entry = largestEntry()
  const { page, browser, close } = await openServedPage()
  try {
    const place = await addEntry(page, entry)
    await goTo(page, place)
    const field = page.locator('[data-field] input[type="text"], [data-field] textarea').first()
    await field.click()
    const perRound: number[] = []
    const tasks: number[] = []
    for (let round = 0; round < Math.min(rounds, 5); round += 1) {
      await field.fill('')
      await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] })
      await page.keyboard.type(TEXT, { delay: KEY_EVERY_MS })
      await page.waitForTimeout(KEY_EVERY_MS * 3)
      const trace = await browser.stopTracing()
      const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] }
      const longest = longestTasks(traceEvents, 'keydown')
      if (longest.length < TEXT.length)
        throw new Error(`Only ${longest.length} of ${TEXT.length} keys are in the trace.`)
      tasks.push(...longest)
      perRound.push(percentile(longest, 0.95))
    }
    const rounded = { p95: perRound }
    return [{ row: toRow(BAR, percentile(tasks, 0.95)), rounds: rounded, roundUnit: 'ms' }]
  } finally {
    await close()
  }
}
