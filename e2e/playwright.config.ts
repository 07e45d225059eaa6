import { defineConfig } from '@playwright/test'

import { CHROMIUM_ARGS } from './ways-in/chromium-args'
import { electronBinary } from './ways-in/electron'
import type { WayIn } from './ways-in/way-in'

const BROWSER_ONLY = 'browser-*.spec.ts'
/** Needs a desktop, and the older Electron of the long tier. */
const REAL_ONLY = 'real-electron/*.spec.ts'

/** The same specs run through every way in; Electron's own takes part where its binary exists. */
export default defineConfig<object, { wayIn: WayIn }>({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  outputDir: '../test-results/e2e',
  fullyParallel: true,
  // Most of a test's time is waiting for the page and for programs that it started.
  workers: 4,
  // Those that look at every theme take a minute and more on a busy machine.
  timeout: 180_000,
  expect: { timeout: 60_000 },
  reporter: [['list'], ['json', { outputFile: '../test-results/e2e.json' }]],
  use: {
    // What happened, in words: with the page at every step it costs a tenth of the processor time of the whole test, with
    // pictures a third. `--trace on` has all of it.
    trace: { mode: 'retain-on-failure', screenshots: false, sources: false, snapshots: false },
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.PATCHBAY_CHROMIUM ?? '/usr/bin/chromium',
      args: [...CHROMIUM_ARGS],
    },
    colorScheme: 'light',
  },
  projects: [
    {
      name: 'browser',
      testIgnore: ['desktop-*.spec.ts', REAL_ONLY],
      // Drawing what moves costs a tenth of the processor time; the double's windows move.
      use: { wayIn: 'browser', contextOptions: { reducedMotion: 'reduce' } },
    },
    { name: 'double', testIgnore: [BROWSER_ONLY, REAL_ONLY], use: { wayIn: 'double' } },
    ...(electronBinary() === undefined
      ? []
      : [
          {
            ...{ name: 'electron', testIgnore: [BROWSER_ONLY, REAL_ONLY] },
            use: { wayIn: 'electron' as const },
          },
        ]),
  ],
})
