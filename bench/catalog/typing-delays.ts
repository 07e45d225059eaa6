import type { Page } from '@playwright/test'

import type { BenchPlan } from '../measure/bench'
import { percentile } from '../measure/percentile'
import { within } from '../measure/rounds'
import { type Bar, type Measurement, toRow } from '../measure/row'
import { SLIPS, TEXTS } from './typed-texts'

const BAR: Bar = { metric: 'keystroke-to-painted-p95-ms', unit: 'ms', op: '<=', bar: 100 }
/** A fast typist. */
const KEY_EVERY_MS = 90
const MAX_ROUNDS = 2
/** Letters of a typo that are deleted. */
const TAKEN_BACK = 3
const SHOWN_LIMIT_MS = 10_000

/**
 * Time from each key that changes the search until the page shows the results of the current or a later text; the 95th percentile of all
 * keys.
 */
export async function typingDelays(page: Page, { rounds }: BenchPlan): Promise<Measurement> {
  await page.evaluate(WATCH)
  const all: number[] = []
  const p95: number[] = []
  for (let round = 0; round < Math.min(rounds, MAX_ROUNDS); round += 1) {
    const keys = await typeAll(page)
    const shown = page.evaluate<number[]>('typed.whole()')
    const delays = await within(SHOWN_LIMIT_MS, 'showing the last answer', shown)
    if (delays.length !== keys) throw new Error(`${delays.length} of ${keys} keys were listenedTo.`)
    all.push(...delays)
    p95.push(percentile(delays, 0.95))
  }
  return { row: toRow(BAR, percentile(all, 0.95)), rounds: { p95 }, roundUnit: 'ms' }
}

/** Returns the number of keys that changed the text. */
async function typeAll(page: Page): Promise<number> {
  const field = page.getByRole('searchbox')
  await field.click()
  const every = { delay: KEY_EVERY_MS }
  let keys = 0
  for (const text of [...TEXTS, ...SLIPS]) {
    await page.keyboard.type(text, every)
    const back = SLIPS.some((slip) => slip === text) ? TAKEN_BACK : 0
    for (let taken = 0; taken < back; taken += 1) await page.keyboard.press('Backspace', every)
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.press('Backspace', every)
    keys += text.length + back + 1
  }
  return keys
}

/**
 * Runs in the page. Records each catalog request with the number of its key, and waits for the frame that shows its count and first server.
 * A key without a request returned to a cached result.
 */
const WATCH = `{
  const typed = (globalThis.typed = {
    keys: 0,
    asked: 0,
    delays: [],
    whole: async () => {
      const { delays, keys } = typed
      while (delays.length < keys) await new Promise(requestAnimationFrame)
      Object.assign(typed, { keys: 0, asked: 0, delays: [] })
      return delays
    },
  })
  const begun = []
  const asked = new Map()
  const listenedTo = new WeakSet()
  const key = { at: 0 }
  document.addEventListener('keydown', ({ timeStamp }) => (key.at = timeStamp), true)
  const answers = new Map()
  document.addEventListener('input', ({ target }) => {
    typed.keys += 1
    const place = typed.keys
    begun[place - 1] = key.at
    const kept = answers.get(target.value)
    const look = () => {
      if (typed.asked >= place || typed.delays.length >= place) return
      if (kept && !isShown(kept)) requestAnimationFrame(look)
      else noteAfterPaint(place)
    }
    requestAnimationFrame(look)
  }, true)

  const isShown = ({ total, servers }) => {
    const count = document.querySelector('[data-testid=result-count]')?.textContent.replace(/\\D/g, '')
    const first = document.querySelector('[aria-posinset="1"] [data-testid=server-name]')?.title
    return count === String(total) && (total === 0 || first === servers[0].name)
  }
  const noteAfterPaint = (last) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      const now = performance.now()
      while (typed.delays.length < last) typed.delays.push(now - begun[typed.delays.length])
    }
    port2.postMessage(0)
  }
  const untilShown = (last, answer) =>
    requestAnimationFrame(() => {
      if (typed.delays.length >= last) return
      if (!isShown(answer)) return untilShown(last, answer)
      noteAfterPaint(last)
    })

  const hear = ({ data }) => {
    const { id, reply } = JSON.parse(data)
    const { last, text } = asked.get(id) ?? {}
    if (last === undefined) return
    asked.delete(id)
    // Null stands for a question that a newer one replaced.
    if (reply.value === null) return
    answers.set(text, reply.value)
    untilShown(last, reply.value)
  }
  const send = WebSocket.prototype.send
  WebSocket.prototype.send = function (text) {
    const { id, channel, input } = JSON.parse(text)
    if (channel === 'catalog.query' && input.offset === 0) {
      typed.asked = typed.keys
      asked.set(id, { last: typed.keys, text: input.text })
    }
    if (!listenedTo.has(this)) this.addEventListener('message', hear)
    listenedTo.add(this)
    send.call(this, text)
  }
}`
