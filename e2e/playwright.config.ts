import { defineConfig } from '@playwright/test'

import type { WayIn } from './fixtures/patchbay-test'
import { electronBinary } from './ways-in/electron'

const isElectronHere = electronBinary() !== undefined

/** Both ways in run the same specs; the desktop runs in Electron where its binary exists, else on the double. */
export default defineConfig<object, { wayIn: WayIn }>({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  outputDir: '../test-results',
  fullyParallel: true,
  workers: 2,
  timeout: 90_000,
  expect: { timeout: 20_000 },
  reporter: [['list'], ['json', { outputFile: '../test-results/e2e.json' }]],
  use: {
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: process.env['PATCHBAY_CHROMIUM'] ?? '/usr/bin/chromium' },
    colorScheme: 'light',
  },
  projects: [
    { name: 'browser', testIgnore: 'desktop-*.spec.ts', use: { wayIn: 'browser' } },
    {
      name: isElectronHere ? 'electron' : 'double',
      testIgnore: 'browser-*.spec.ts',
      use: { wayIn: isElectronHere ? 'electron' : 'double' },
    },
  ],
})
