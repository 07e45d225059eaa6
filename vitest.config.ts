import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // Most of a test's time is waiting for programs that it started; by default two cores get one worker.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          include: [
            'src-{main,shared,renderer}/**/*.test.ts',
            'e2e/**/*.test.ts',
            'bench/**/*.test.ts',
          ],
          testTimeout: 30_000,
        },
      },
    ],
  },
})
