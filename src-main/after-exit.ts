import { rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { attempt } from '../src-shared/domain/attempt'

const POLL_MS = 100
/** Time for the app to end, and for its helper processes after it, in ms. */
const END_LIMIT_MS = 60_000
const EXIT_MS = 3_000

/**
 * Waits until process `pid` has ended, then removes the window storage in a profile folder, and the folder itself if it is empty. Does
 * nothing if the process doesn't end within a minute.
 */
async function removeWindowStorage(pid: number, profileDir: string): Promise<void> {
  for (let waited = 0; attempt(() => process.kill(pid, 0)); waited += POLL_MS) {
    if (waited >= END_LIMIT_MS) return
    await delay(POLL_MS)
  }
  // Chromium's processes end shortly after the app, and write until then.
  for (let waited = 0; waited < EXIT_MS; waited += POLL_MS) {
    await rm(join(profileDir, 'window'), { recursive: true, force: true, maxRetries: 5 })
    // Anything left isn't ours.
    await rmdir(profileDir).catch(() => undefined)
    await delay(POLL_MS)
  }
}

const [, , pid = '', profileDir = ''] = process.argv
await removeWindowStorage(Number(pid), profileDir)
