import type { Page } from '@playwright/test'

import { goTo } from '../forms/served-page'
import type { BenchPlan } from '../measure/bench'
import { median } from '../measure/median'
import { interleave } from '../measure/rounds'
import { type Bar, type Measurement, toRow } from '../measure/row'

const BAR: Bar = { metric: 'open-form-of-largest-schema-ms', unit: 'ms', op: '<=', bar: 150 }
const ROUND_LIMIT_MS = 60_000

/**
 * From the click on "Try it" until the last field that the form begins with is painted: of a schema with 200 described
 * fields of eight kinds, a quarter of them with defaults, and of the largest of the awkward ones. The slower of the two
 * counts. Beside them, how long the first one takes from the click on "Show more" until all 200 are painted.
 */
export async function formOpenings(
  page: Page,
  installationId: string,
  { rounds }: BenchPlan,
): Promise<Measurement> {
  const open = (tool: string) => () => openForm(page, installationId, tool)
  const sides = {
    described: open('settings'),
    'the rest of it': () => untilDrawn(page, SHOW_MORE, 'setting_199'),
    awkward: open('many_members'),
  }
  const times = await interleave(sides, { rounds, limitMs: ROUND_LIMIT_MS })
  const slower = Math.max(median(times.described), median(times.awkward))
  return { row: toRow(BAR, slower), rounds: times, roundUnit: 'ms' }
}

async function openForm(page: Page, installationId: string, tool: string): Promise<number> {
  await goTo(page, `#/servers/${installationId}/tools`)
  await page.getByRole('link', { name: `Try it: ${tool}`, exact: true }).waitFor()
  return untilDrawn(page, `a[aria-label="Try it: ${tool}"]`, 'Show ')
}

/** The button below the fields that a form begins with. */
const SHOW_MORE = '.tool-form button:not([aria-pressed], [role])'

/** From the click on the last element of `clicked` until a label or a button of the form with this beginning is painted, in ms. */
async function untilDrawn(page: Page, clicked: string, last: string): Promise<number> {
  return page.evaluate<number>(`(${UNTIL_DRAWN})(${JSON.stringify({ clicked, last })})`)
}

/** Runs in the page. */
const UNTIL_DRAWN = `({ clicked, last }) => new Promise((resolve, reject) => {
  const isDrawn = () =>
    [...document.querySelectorAll('.tool-form :is(.label, button)')].some((one) => one.textContent.startsWith(last))
  const begin = performance.now()
  const look = () => {
    if (performance.now() - begin > 30_000) return reject(new Error('The form did not come.'))
    if (!isDrawn()) return requestAnimationFrame(look)
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => resolve(performance.now() - begin)
    port2.postMessage(0)
  }
  ;[...document.querySelectorAll(clicked)].at(-1).click()
  requestAnimationFrame(look)
})`
