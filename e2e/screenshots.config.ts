import { defineConfig } from '@playwright/test'

import config from './playwright.config'

/** Takes pictures of the running app in the browser. Those of the demo profile are kept in `docs/screenshots`. */
export default defineConfig({
  ...config,
  testMatch: '*.shots.ts',
  testIgnore: [],
  timeout: 240_000,
  reporter: 'list',
  projects: [{ name: 'screenshots' }],
})
