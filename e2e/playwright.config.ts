import { defineConfig } from '@playwright/test'

import type { WayIn } from './fixtures/patchbay-test'
import { electronBinary } from './ways-in/electron'

const desktop = (
  wayIn: 'double' | 'electron',
): { name: string; testIgnore: string[]; use: { wayIn: WayIn } } => ({
  name: wayIn,
  // The shell's own spec chooses its runtimes itself.
  testIgnore: ['browser-*.spec.ts', ...(wayIn === 'electron' ? ['desktop-shell.spec.ts'] : [])],
  use: { wayIn },
})

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
    desktop('double'),
    ...(electronBinary() === undefined ? [] : [desktop('electron')]),
  ],
})
