import type { Page } from '@playwright/test'

import type { BenchPlan } from '../measure/bench'
import { percentile } from '../measure/percentile'
import { within } from '../measure/rounds'
import { type Measurement, toRow } from '../measure/row'
import { BARS } from './bars'
import { IS_DRAWN, type Screen, SCREENS } from './screens'

const SWITCH_LIMIT_MS = 20_000
/** Pause between clicks: the last click's work has ended, and the next screen's data may be stale. */
const PAUSE_MS = 150

/**
 * Time from a click on each sidebar link in turn until a frame shows the screen with its content; the 95th percentile of all clicks. The
 * first round, in which screens open for the first time, counts too.
 */
export async function switching(page: Page, { rounds }: BenchPlan): Promise<Measurement> {
  const times = new Map<string, number[]>(SCREENS.map(({ title }) => [title, []]))
  const order = [...SCREENS.slice(1), ...SCREENS.slice(0, 1)]
  for (let round = 0; round < rounds; round += 1)
    for (const screen of order)
      times.get(screen.title)?.push(await within(SWITCH_LIMIT_MS, screen.title, open(page, screen)))
  const row = toRow(BARS.switching, percentile([...times.values()].flat(), 0.95))
  return { row, rounds: Object.fromEntries(times), roundUnit: 'ms' }
}

async function open(page: Page, screen: Screen): Promise<number> {
  await page.evaluate(`(${WATCH})(${JSON.stringify(screen)})`)
  await page.locator(`nav[aria-label="Main"] a[href="${screen.hash}"]`).click()
  const took = await page.evaluate<number>('globalThis.switched')
  await page.waitForTimeout(PAUSE_MS)
  return took
}

/** Runs in the page before the click. */
const WATCH = `(screen) => {
  const isDrawn = ${IS_DRAWN}
  globalThis.switched = new Promise((resolve) => {
    document.addEventListener('click', ({ timeStamp }) => {
      const look = () => {
        if (!isDrawn(screen)) return requestAnimationFrame(look)
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => resolve(performance.now() - timeStamp)
        port2.postMessage(0)
      }
      requestAnimationFrame(look)
    }, { capture: true, once: true })
  })
}`
