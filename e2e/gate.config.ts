import { defineConfig } from '@playwright/test'

import everySpec from './playwright.config'

/** Whole-app tests of `npm test`: one journey per capability in the browser, and everything only the desktop does. */
const DESKTOP = ['desktop-*.spec.ts', 'main-job.spec.ts']

export default defineConfig({
  ...everySpec,
  grep: /@gate/,
  projects: (everySpec.projects ?? []).map((project) =>
    project.name === 'browser' ? project : { ...project, testMatch: DESKTOP },
  ),
})
