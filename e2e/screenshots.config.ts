import { defineConfig } from '@playwright/test'

import config from './playwright.config'

/** Takes the pictures of `docs/screenshots` from the running app, through the browser way in. */
export default defineConfig({
  ...config,
  testMatch: '*.shots.ts',
  testIgnore: [],
  timeout: 240_000,
  reporter: 'list',
  projects: [{ name: 'screenshots' }],
})
