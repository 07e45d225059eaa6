import { defineConfig } from '@playwright/test'

import { CHROMIUM_ARGS } from './ways-in/chromium-args'
import { electronBinary } from './ways-in/electron'
import type { WayIn } from './ways-in/way-in'

const BROWSER_ONLY = 'browser-*.spec.ts'
/** Needs a desktop, and the long tier's older Electron. */
const REAL_ONLY = 'real-electron/*.spec.ts'

/** The same specs run in every way in; Electron takes part if its binary exists. */
export default defineConfig<object, { wayIn: WayIn }>({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  outputDir: '../test-results/e2e',
  fullyParallel: true,
  // A test mostly waits for the page and for programs it started.
  workers: 4,
  // Tests of every theme take a minute and more on a busy machine.
  timeout: 180_000,
  expect: { timeout: 60_000 },
  reporter: [['list'], ['json', { outputFile: '../test-results/e2e.json' }]],
  use: {
    // A textual trace: page snapshots at every step would cost a tenth of the processor time, pictures a third. `--trace on` has
    // everything.
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
      // Animations cost a tenth of the processor time; the double's windows are animated.
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
