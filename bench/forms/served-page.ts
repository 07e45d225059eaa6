import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type Browser, chromium, type Page } from '@playwright/test'

import { launchServe, type ServedApp } from '../../e2e/ways-in/browser'
import type { LargestEntry } from './largest-entry'

/** The browser that is measured. */
export const CHROMIUM = process.env.PATCHBAY_CHROMIUM ?? '/usr/bin/chromium'

/** The built app in a real browser, on a profile folder of its own. */
export type ServedPage = {
  readonly served: ServedApp
  readonly browser: Browser
  readonly page: Page
  readonly close: () => Promise<void>
}

/** Opens `patchbay serve` of `out/` in Chromium; `fill` writes into the profile folder before. */
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
  // From here on the caller ends it all.
  const whole = opened.move()
  return { served, browser, page, close: () => whole.disposeAsync() }
}

/** Goes to an address of the app, such as `#/catalog`. */
export async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`)
}

/** Hands an entry to the catalog and gives the address of the form of its package. */
export async function addEntry(page: Page, entry: LargestEntry): Promise<string> {
  await page.getByRole('link', { name: /^Catalog/u }).click()
  await page.getByRole('button', { name: 'Add your own' }).click()
  await page.getByRole('menuitem', { name: 'Paste configuration' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').first().fill(entry.text)
  await dialog.getByRole('button', { name: /^Read/u }).click()
  const goOn = dialog.getByRole('button', { name: /^Set up/u })
  const form = page.getByRole('region', { name: 'Consent' })
  await goOn.or(form).first().waitFor()
  if (await goOn.isVisible()) await goOn.click()
  await form.waitFor()
  const address = new URL(page.url())
  return address.hash.replace(/package-\d+$/u, `package-${entry.packageIndex}`)
}
