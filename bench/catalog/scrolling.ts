import type { Browser, Page } from '@playwright/test'

import type { BenchPlan } from '../measure/bench'
import type { Bar, Measurement } from '../measure/row'
import { scrollTasks } from '../measure/scroll-tasks'

const BAR: Bar = { metric: 'scroll-longest-task-p99-ms', unit: 'ms', op: '<=', bar: 33 }
const LIST = { selector: '.results-scroll', from: 'start', mostRounds: 3 } as const

/** How smoothly the results of the catalog scroll; see `scrollTasks`. */
export function catalogScrolling(
  browser: Browser,
  page: Page,
  { rounds }: BenchPlan,
): Promise<Measurement> {
  return scrollTasks(browser, page, { list: LIST, bar: BAR, rounds })
}
