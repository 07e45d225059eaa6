import { defineConfig } from '@playwright/test'

import { electronBinary } from './ways-in/electron'
import type { WayIn } from './ways-in/way-in'

const BROWSER_ONLY = 'browser-*.spec.ts'

/** The same specs run through every way in; Electron's own takes part where its binary exists. */
export default defineConfig<object, { wayIn: WayIn }>({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  outputDir: '../test-results/e2e',
  fullyParallel: true,
  workers: 2,
  timeout: 90_000,
  expect: { timeout: 20_000 },
  reporter: [['list'], ['json', { outputFile: '../test-results/e2e.json' }]],
  use: {
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: process.env.PATCHBAY_CHROMIUM ?? '/usr/bin/chromium' },
    colorScheme: 'light',
  },
  projects: [
    { name: 'browser', testIgnore: 'desktop-*.spec.ts', use: { wayIn: 'browser' } },
    { name: 'double', testIgnore: BROWSER_ONLY, use: { wayIn: 'double' } },
    ...(electronBinary() === undefined
      ? []
      : [{ name: 'electron', testIgnore: BROWSER_ONLY, use: { wayIn: 'electron' as const } }]),
  ],
})
