import { expect, it } from 'vitest'

import { BARS } from './bars'

it("the page's bench has the agreed names and bars", () => {
  const bars = Object.values(BARS).map(({ metric, op, bar }) => `${metric} ${op} ${String(bar)}`)
  expect(bars).toEqual([
    'initial-js-gzip-kb <= 250',
    'interactive-after-first-byte-ms <= 1000',
    'switch-screen-p95-ms <= 200',
    'log-50k-lines-per-s-longest-task-p99-ms <= 100',
    'log-lines-lost <= 0',
    'log-search-100k-lines-first-hits-ms <= 200',
  ])
})
