import { defineConfig } from '@playwright/test'

import everySpec from './playwright.config'

/** Whole-app parts of the long tier by name (docs/testing.md), each with its specs. */
const PARTS = {
  runners: [
    'browser-{real-servers,user-requests-real}.spec.ts',
    'browser-try-{results,tools}.spec.ts',
  ],
  forms: ['browser-real-forms.spec.ts'],
  'killed-app': ['browser-killed-app.spec.ts'],
  views: ['browser-views-published.spec.ts'],
  accessibility: ['browser-*accessibility.spec.ts', 'browser-contrast.spec.ts'],
}

const [browser, double] = everySpec.projects ?? []

/** Everything outside the gate: each part is a project, `screens` the rest of the browser specs, `double` all desktop specs. */
export default defineConfig({
  ...everySpec,
  projects: [
    ...Object.entries(PARTS).map(([name, testMatch]) => ({ ...browser, name, testMatch })),
    {
      ...browser,
      name: 'screens',
      testIgnore: ['desktop-*.spec.ts', 'real-electron/*', ...Object.values(PARTS).flat()],
      grepInvert: /@gate/,
    },
    ...(double === undefined ? [] : [double]),
    // One at a time: they share a screen and keyboard.
    {
      ...{ name: 'real-electron', testIgnore: 'browser-*.spec.ts', workers: 1 },
      use: { wayIn: 'electron' as const },
    },
  ],
})
