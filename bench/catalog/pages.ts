import { mkdtempSync, rmSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { BenchPart } from '../measure/bench'
import { goTo, openServedPage } from '../measure/served-page'
import { setUpHarness } from './catalog-harness'
import { typingDelays } from './typing-delays'

/** A user's experience with a catalog of 30,000 servers in Chromium. */
export const pageSpeed: BenchPart = async (plan) => {
  const profileDir = mkdtempSync(join(tmpdir(), 'patchbay-bench-full-'))
  try {
    {
      await using harness = await setUpHarness()
      await harness.fill(profileDir)
    }
    const copy = (to: string): Promise<void> => cp(profileDir, to, { recursive: true })
    const { page, close } = await openServedPage(copy)
    try {
      await goTo(page, '#/catalog')
      await page.getByTestId('server-name').first().waitFor()
      return [await typingDelays(page, plan)]
    } finally {
      await close()
    }
  } finally {
    rmSync(profileDir, { recursive: true, force: true, maxRetries: 3 })
  }
}
