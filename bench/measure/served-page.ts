import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type Browser, chromium, type Page } from '@playwright/test'

import { launchServe, type ServedApp } from '../../e2e/ways-in/browser'

/** The measured browser. */
export const CHROMIUM = process.env.PATCHBAY_CHROMIUM ?? '/usr/bin/chromium'

/** The built app in a real browser, with its own profile folder. */
export type ServedPage = {
  readonly served: ServedApp
  readonly browser: Browser
  readonly page: Page
  readonly close: () => Promise<void>
}

/** Opens `patchbay serve` of `out/` in Chromium; `fill` prepares the profile folder. */
export async function openServedPage(
  fill: (profileDir: string) => Promise<void> = () => Promise.resolve(),
): Promise<ServedPage> {
  await using opened = new AsyncDisposableStack()
  const profileDir = mkdtempSync(join(tmpdir(), 'patchbay-bench-'))
  opened.defer(() => rmSync(profileDir, { recursive: true, force: true }))
  await fill(profileDir)
  const served = await launchServe({ profileDir })
  opened.defer(async () => {
    await served.close()
  })
  const browser = await chromium.launch({ executablePath: CHROMIUM })
  opened.defer(() => browser.close())
  const page = await browser.newPage({ viewport: { width: 1280, height: 820 } })
  await page.goto(served.link)
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  // From here on the caller closes everything.
  const whole = opened.move()
  return { served, browser, page, close: () => whole.disposeAsync() }
}

/** Goes to an address of the app, such as `#/catalog`. */
export async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`)
}
