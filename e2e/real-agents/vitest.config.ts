import { defineConfig } from 'vitest/config'

/** `npm run agents`: published agents, which are downloaded once and start slowly. */
export default defineConfig({
  test: {
    include: ['e2e/real-agents/*.agents.ts'],
    testTimeout: 300_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: 1,
    // Also names what was skipped, and why.
    reporters: ['verbose'],
  },
})
