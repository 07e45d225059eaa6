import type { Bar } from '../measure/row'

/** The page's bars. */
export const BARS = {
  code: { metric: 'initial-js-gzip-kb', unit: 'KB', op: '<=', bar: 250 },
  interactive: { metric: 'interactive-after-first-byte-ms', unit: 'ms', op: '<=', bar: 1_000 },
  switching: { metric: 'switch-screen-p95-ms', unit: 'ms', op: '<=', bar: 200 },
  logTasks: {
    ...{ metric: 'log-50k-lines-per-s-longest-task-p99-ms', unit: 'ms' },
    ...{ op: '<=', bar: 100 },
  },
  logLost: { metric: 'log-lines-lost', unit: 'count', op: '<=', bar: 0 },
  logSearch: { metric: 'log-search-100k-lines-first-hits-ms', unit: 'ms', op: '<=', bar: 200 },
} as const satisfies Record<string, Bar>
