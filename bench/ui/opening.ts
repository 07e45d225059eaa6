import { gzipSync } from 'node:zlib'

import type { Page, Response } from '@playwright/test'

import type { BenchPlan } from '../measure/bench'
import { median } from '../measure/median'
import { interleave } from '../measure/rounds'
import { type Measurement, toRow } from '../measure/row'
import { BARS } from './bars'
import { type FullApp, openWindow } from './full-app'

const ROUND_LIMIT_MS = 30_000
const KB = 1_000

/** Position of the link to click, in px. */
type Place = { readonly x: number; readonly y: number }

/**
 * Two measurements of a page opened in a new context, without a cache. The time from the document's first byte until a click is answered:
 * as soon as a frame shows the sidebar with all servers, the servers link is clicked, until the first frame that shows that screen. And the
 * gzip size of all scripts loaded by then, in KB of 1,000 bytes, without what the page prefetches when idle.
 */
export async function opening(app: FullApp, { rounds }: BenchPlan): Promise<Measurement[]> {
  const sizes: number[] = []
  const shown: number[] = []
  const load = async (): Promise<number> => {
    const { interactive, drawn, kilobytes } = await openOnce(app)
    sizes.push(kilobytes)
    shown.push(drawn)
    return interactive
  }
  const { load: times } = await interleave({ load }, { rounds, limitMs: ROUND_LIMIT_MS })
  return [
    { row: toRow(BARS.code, Math.max(...sizes)), rounds: { scripts: sizes }, roundUnit: 'KB' },
    {
      row: toRow(BARS.interactive, median(times)),
      rounds: { answered: times, 'servers shown': shown.slice(1) },
      roundUnit: 'ms',
    },
  ]
}

async function openOnce(app: FullApp): Promise<{
  readonly interactive: number
  readonly drawn: number
  readonly kilobytes: number
}> {
  const scripts: Response[] = []
  const page = await openWindow(app, {
    script: opened(app.amount.servers),
    prepare: (fresh) => {
      fresh.on('response', (response) => {
        if (response.request().resourceType() === 'script') scripts.push(response)
      })
    },
  })
  try {
    const { place, drawn, until } = await page.evaluate<{
      place: Place
      drawn: number
      until: number
    }>('globalThis.shown')
    await page.mouse.click(place.x, place.y)
    const interactive = await page.evaluate<number>('globalThis.answered')
    return { interactive, drawn, kilobytes: await gzipped(page, scripts, until) }
  } finally {
    await page.context().close()
  }
}

/** Gzip size of the scripts loaded by a given time, each as its own file. */
async function gzipped(page: Page, scripts: readonly Response[], until: number): Promise<number> {
  const come = await page.evaluate<string[]>(`performance.getEntriesByType('resource')
    .filter(({ responseEnd }) => responseEnd > 0 && responseEnd <= ${String(until)})
    .map(({ name }) => name)`)
  const first = scripts.filter((script) => come.includes(script.url()))
  if (first.length === 0) throw new Error('No script came before the page was there.')
  const sizes = await Promise.all(first.map(async (script) => gzipSync(await script.body()).length))
  return sizes.reduce((sum, size) => sum + size, 0) / KB
}

/** Runs in the page before anything else. */
function opened(servers: number): string {
  return `{
    const shown = Promise.withResolvers()
    const answered = Promise.withResolvers()
    Object.assign(globalThis, { shown: shown.promise, answered: answered.promise })
    const sinceFirstByte = () =>
      performance.now() - performance.getEntriesByType('navigation')[0].responseStart
    const painted = (then) => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = then
      port2.postMessage(0)
    }
    const link = () => document.querySelector('nav[aria-label="Main"] a[href="#/servers"]')
    const look = () => {
      const own = document.querySelectorAll('nav[aria-label="Your servers"] a')
      if (link() === null || own.length < ${String(servers)}) return requestAnimationFrame(look)
      const { x, y, width, height } = link().getBoundingClientRect()
      const place = { x: x + width / 2, y: y + height / 2 }
      painted(() => shown.resolve({ place, drawn: sinceFirstByte(), until: performance.now() }))
    }
    requestAnimationFrame(look)
    document.addEventListener('click', () => {
      const isThere = () => {
        if (link().getAttribute('aria-current') !== 'page') return requestAnimationFrame(isThere)
        painted(() => answered.resolve(sinceFirstByte()))
      }
      requestAnimationFrame(isThere)
    }, { capture: true, once: true })
  }`
}
