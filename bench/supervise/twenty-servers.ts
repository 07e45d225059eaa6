import { writeFileSync } from 'node:fs'

import type { Page } from '@playwright/test'

import { documentFile } from '../../src-main/core/installation/store/document-over-conf'
import type { ServerMode } from '../stdio/bench-server'
import { installAll } from '../stdio/readiness'

/** Twenty healthy servers. */
export const TWENTY: readonly ServerMode[] = Array.from({ length: 20 }, () => 'works' as const)

const READY_LIMIT_MS = 60_000

/**
 * Writes the settings of a user with twenty healthy, approved servers into a profile folder; without a registry, whose sync would disturb
 * the idle measurement.
 */
export async function fillWithTwenty(profileDir: string): Promise<void> {
  const { document } = await installAll(TWENTY, { catalogUpkeep: false })
  writeFileSync(documentFile(profileDir), JSON.stringify(document), { mode: 0o600 })
}

/** Settles when the page shows all twenty as Ready. */
export async function untilTwentyReady(page: Page): Promise<void> {
  const ready = page
    .getByRole('navigation', { name: 'Your servers' })
    .getByRole('link', { name: /, Ready$/u })
  await ready.nth(TWENTY.length - 1).waitFor({ timeout: READY_LIMIT_MS })
}
