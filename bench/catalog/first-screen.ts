import { type Browser, chromium } from '@playwright/test'

import { launchServe } from '../../e2e/ways-in/browser'
import { CHROMIUM } from '../forms/served-page'
import type { BenchPlan } from '../measure/bench'
import { median } from '../measure/median'
import { interleave } from '../measure/rounds'
import { type Bar, type Measurement, toRow } from '../measure/row'
import { SHOWN_CARD } from './shown-cards'

const BAR: Bar = { metric: 'first-screen-full-catalog-ms', unit: 'ms', op: '<=', bar: 300 }
const MOST_ROUNDS = 5
const ROUND_LIMIT_MS = 60_000

/** In ms, from the first paint that has content, and from that of the empty window before it. */
type FirstCards = { readonly content: number; readonly blank: number }

/**
 * From the first paint of the app, in a window that opens at the catalog, until its first cards are painted. Patchbay
 * has just started then, and nobody has asked its catalog anything; an earlier run has. For comparison where none has,
 * from the paint of the empty window, before any script of the page ran, and once more while the catalog's thread is
 * awake.
 */
export async function firstScreens(profileDir: string, plan: BenchPlan): Promise<Measurement> {
  const browser = await chromium.launch({ executablePath: CHROMIUM })
  try {
    const empty: number[] = []
    const awake: number[] = []
    const cold = async (): Promise<number> => {
      const served = await launchServe({ profileDir })
      try {
        const { content, blank } = await openAtCatalog(browser, served.link)
        empty.push(blank)
        awake.push((await openAtCatalog(browser, await served.anotherLink())).content)
        return content
      } finally {
        await served.close()
      }
    }
    const limits = { rounds: Math.min(plan.rounds, MOST_ROUNDS), limitMs: ROUND_LIMIT_MS }
    const rounds = await interleave({ cold }, limits)
    return {
      row: toRow(BAR, median(rounds.cold)),
      rounds: {
        ...rounds,
        'from the empty window': empty.slice(1),
        'thread awake': awake.slice(1),
      },
      roundUnit: 'ms',
    }
  } finally {
    await browser.close()
  }
}

async function openAtCatalog(browser: Browser, link: string): Promise<FirstCards> {
  const { origin, hash } = new URL(link)
  const page = await browser.newPage({ viewport: { width: 1280, height: 820 } })
  try {
    await page.addInitScript(openingScript(hash.replace('#token=', '')))
    await page.goto(`${origin}/#/catalog`)
    return await page.evaluate<FirstCards>('firstCards')
  } finally {
    await page.close()
  }
}

/** Runs in the page before all else: offers the token as a reload would, and waits for the first cards. */
function openingScript(token: string): string {
  return `{
    sessionStorage.setItem('patchbay.token', ${JSON.stringify(token)})
    const found = Promise.withResolvers()
    globalThis.firstCards = found.promise
    const painted = () => {
      const now = performance.now()
      const since = (name) => now - (performance.getEntriesByName(name)[0]?.startTime ?? now)
      found.resolve({
        content: Math.max(0, since('first-contentful-paint')),
        blank: Math.max(0, since('first-paint')),
      })
    }
    const look = () => {
      if (document.querySelector(${JSON.stringify(SHOWN_CARD)}) === null) {
        return requestAnimationFrame(look)
      }
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = painted
      port2.postMessage(0)
    }
    requestAnimationFrame(look)
  }`
}
