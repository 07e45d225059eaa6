import { defineConfig } from '@playwright/test'

import everySpec from './playwright.config'

/** What `npm test` runs of the whole-app tests: one journey for each capability through the browser, and what only the desktop does. */
const DESKTOP = ['desktop-*.spec.ts', 'main-job.spec.ts']

export default defineConfig({
  ...everySpec,
  grep: /@gate/,
  projects: (everySpec.projects ?? []).map((project) =>
    project.name === 'browser' ? project : { ...project, testMatch: DESKTOP },
  ),
})
