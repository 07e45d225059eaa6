import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
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
