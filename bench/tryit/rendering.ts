import type { Browser, Page } from '@playwright/test'

import { longestTasks, type TraceEvent } from '../forms/main-thread'
import { goTo } from '../forms/served-page'
import type { BenchPlan } from '../measure/bench'
import { median } from '../measure/median'
import { interleave } from '../measure/rounds'
import { type Bar, type Measurement, toRow } from '../measure/row'

const BAR: Bar = {
  metric: 'render-10mb-json-result-longest-task-ms',
  unit: 'ms',
  op: '<=',
  bar: 50,
}
const ROUND_LIMIT_MS = 120_000
const WAIT_MS = 60_000
/** In the last row alone. */
const LAST = 'The note of row 10239.'
const REST_MS = 300

/**
 * Calls a tool that answers 10 MB of structured JSON, until its tree is drawn and a text of its last row was found in it,
 * and takes the longest task of the page's main thread from the click on; beside it, a page that puts the same JSON
 * into a \`<pre>\`.
 */
export async function resultRendering(
  browser: Browser,
  page: Page,
  installationId: string,
  { rounds }: BenchPlan,
): Promise<Measurement> {
  await goTo(page, `#/servers/${installationId}/try/tool/rows`)
  await page.getByRole('button', { name: 'Call', exact: true }).waitFor()
  const plain = await browser.newPage({ viewport: { width: 1280, height: 820 } })
  try {
    const sides = {
      tree: () => longestOf(browser, page, () => callAndFind(page)),
      'in a pre': () => longestOf(browser, plain, () => writePlainly(plain)),
    }
    const times = await interleave(sides, { rounds, limitMs: ROUND_LIMIT_MS })
    return { row: toRow(BAR, median(times.tree)), rounds: times, roundUnit: 'ms' }
  } finally {
    await plain.close()
  }
}

async function longestOf(browser: Browser, page: Page, act: () => Promise<void>): Promise<number> {
  await page.bringToFront()
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] })
  await act()
  await page.waitForTimeout(REST_MS)
  const trace = await browser.stopTracing()
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] }
  const longest = longestTasks(traceEvents, 'click')
  if (longest.length === 0) throw new Error('No click is in the trace.')
  return Math.max(...longest)
}

async function callAndFind(page: Page): Promise<void> {
  // The tree of the round before stays until the answer is there.
  await page.evaluate(`document.querySelector('[role=tree]')?.setAttribute('data-old', '')`)
  await page.getByRole('button', { name: 'Call', exact: true }).click()
  await page.locator('[role=tree]:not([data-old])').waitFor({ timeout: WAIT_MS })
  const result = page.getByRole('region', { name: 'Result', exact: true })
  await result.getByRole('searchbox').fill(LAST)
  await result.getByText(/^1 of \d+$/u).waitFor({ timeout: WAIT_MS })
}

async function writePlainly(page: Page): Promise<void> {
  await page.setContent('<button>Show</button><pre></pre>')
  await page.evaluate(PLAIN)
  await page.getByRole('button').click()
  await page.getByText('done', { exact: true }).waitFor({ timeout: WAIT_MS })
}

/** Runs in the page: the text has come, and a click shows it. */
const PLAIN = `{
  const row = (index) => ({
    id: index,
    name: 'row ' + index,
    tags: ['alpha', 'beta', 'tag ' + (index % 97)],
    place: { latitude: index / 7, longitude: -index / 11, isKnown: index % 3 === 0 },
    values: Array.from({ length: 40 }, (_, at) => (index * 31 + at * 17) % 10007),
    note: ('The note of row ' + index + '. ').repeat(24),
  })
  const text = JSON.stringify({ rows: Array.from({ length: 10240 }, (_, index) => row(index)) })
  const button = document.querySelector('button')
  button.onclick = () => {
    document.querySelector('pre').textContent = JSON.stringify(JSON.parse(text), null, 2)
    requestAnimationFrame(() => requestAnimationFrame(() => (button.textContent = 'done')))
  }
}`
