import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { type Browser, chromium, type Page } from '@playwright/test'

import { launchServe, type ServedApp } from '../../e2e/ways-in/browser'
import { Peer } from '../gateway/peer'
import { CHROMIUM } from '../measure/served-page'
import { type Amount, UiHarness } from './ui-harness'

const OPEN_LIMIT_MS = 60_000
/** The window for all measurements. */
const WINDOW = { width: 1280, height: 820 }

/** The built app with much data, and a browser without a page yet. */
export type FullApp = {
  readonly amount: Amount
  readonly served: ServedApp
  readonly browser: Browser
  /** Connects a new agent that calls tools; the caller closes it. */
  connect(): Promise<Peer>
  close(): Promise<void>
}

/** Opens `patchbay serve` of `out/` on a profile with this many servers, which start then. */
export async function openFullApp(amount: Amount): Promise<FullApp> {
  await using opened = new AsyncDisposableStack()
  const harness = opened.use(await UiHarness.open(amount))
  const profileDir = mkdtempSync(join(tmpdir(), 'patchbay-bench-'))
  opened.defer(() => rmSync(profileDir, { recursive: true, force: true, maxRetries: 3 }))
  const [key = ''] = await harness.fill(profileDir)
  const browser = await chromium.launch({ executablePath: CHROMIUM })
  opened.defer(() => browser.close())
  const served = await launchServe({ profileDir })
  opened.defer(async () => {
    await served.close()
  })
  const connect = async (): Promise<Peer> =>
    Peer.connect(await gatewayUrl(profileDir), { headers: { authorization: `Bearer ${key}` } })
  // From here on the caller closes everything.
  const whole = opened.move()
  return { amount, served, browser, connect, close: () => whole.disposeAsync() }
}

/** Time that Chromium needs for a context's new window, in ms. */
const OWN_WINDOW_MS = 2_000

/** Opens the app in a new context, once its window is ready; `script` runs before anything else, `prepare` before the page is requested. */
export async function openWindow(
  { browser, served }: FullApp,
  {
    script = '',
    prepare,
  }: { readonly script?: string; readonly prepare?: (page: Page) => void } = {},
): Promise<Page> {
  const context = await browser.newContext({ viewport: WINDOW })
  const page = await context.newPage()
  prepare?.(page)
  if (script !== '') await page.addInitScript(script)
  await page.waitForTimeout(OWN_WINDOW_MS)
  await page.goto(await served.anotherLink())
  return page
}

/** Settles when the page shows all servers as Ready with their tools. */
export async function untilAllReady(page: Page, { servers }: Amount): Promise<void> {
  const ready = page
    .getByRole('navigation', { name: 'Your servers' })
    .getByRole('link', { name: /, Ready$/u })
  await ready.nth(servers - 1).waitFor({ timeout: OPEN_LIMIT_MS })
}

async function gatewayUrl(profileDir: string): Promise<string> {
  const file = join(profileDir, 'gateway.json')
  const until = performance.now() + OPEN_LIMIT_MS
  while (!existsSync(file)) {
    if (performance.now() > until) throw new Error('The gateway did not open.')
    await delay(50)
  }
  return (JSON.parse(readFileSync(file, 'utf8')) as { url: string }).url
}
