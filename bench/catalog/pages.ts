import { mkdtempSync, rmSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { goTo, openServedPage } from '../forms/served-page'
import type { BenchPart } from '../measure/bench'
import { setUpHarness } from './catalog-desk'
import { firstScreens } from './first-screen'
import { catalogScrolling } from './scrolling'
import { SHOWN_CARD } from './shown-cards'
import { typingDelays } from './typing-delays'

/** What a user feels who looks at a catalog of 30,000 servers in Chromium. */
export const pageSpeed: BenchPart = async (plan) => {
  const profileDir = mkdtempSync(join(tmpdir(), 'patchbay-bench-full-'))
  try {
    {
      await using harness = await setUpHarness()
      await harness.fill(profileDir)
    }
    const copy = (to: string): Promise<void> => cp(profileDir, to, { recursive: true })
    const { page, browser, close } = await openServedPage(copy)
    try {
      await goTo(page, '#/catalog')
      await page.locator(SHOWN_CARD).first().waitFor()
      const typing = await typingDelays(page, plan)
      const scrolling = await catalogScrolling(browser, page, plan)
      return [typing, await firstScreens(profileDir, plan), scrolling]
    } finally {
      await close()
    }
  } finally {
    rmSync(profileDir, { recursive: true, force: true, maxRetries: 3 })
  }
}
