import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type Browser, chromium, type Page } from '@playwright/test'

import { launchServe } from '../../e2e/ways-in/browser'
import type { LargestEntry } from './largest-entry'

const CHROMIUM = process.env.PATCHBAY_CHROMIUM ?? '/usr/bin/chromium'

/** The built app in a real browser, on a profile of its own. */
export type ServedPage = {
  readonly browser: Browser
  readonly page: Page
  readonly close: () => Promise<void>
}

/** Opens `patchbay serve` of `out/` in Chromium. */
export async function openServedPage(): Promise<ServedPage> {
  const profileDir = mkdtempSync(join(tmpdir(), 'patchbay-bench-'))
  const served = await launchServe({ profileDir })
  const browser = await chromium.launch({ executablePath: CHROMIUM })
  const page = await browser.newPage({ viewport: { width: 1280, height: 820 } })
  await page.goto(served.link)
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  return {
    browser,
    page,
    close: async () => {
      await browser.close()
      await served.close()
      rmSync(profileDir, { recursive: true, force: true })
    },
  }
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
