// Prints the summary of a test run.
import { writeFileSync } from 'node:fs'

import { say } from '../toolchain.mjs'

const LINES_OF_AN_ERROR = 25

/** Prints skipped, failed and flaky tests and defects by name, and writes the flaky ones to `flakyFile`, if set. */
export function printTests({ tests, flaky, failed, defects, flakyFile }) {
  for (const { file, title, reason, status } of tests) {
    if (status === 'skipped') say(`Skipped: ${file} › ${title}${reason ? `: ${reason}` : ''}`)
  }
  for (const { file, title, errors } of failed) {
    const lines = errors.flatMap((error) => error.split('\n').slice(0, LINES_OF_AN_ERROR))
    say(`\n${[`Failed: ${file} › ${title}`, ...lines].join('\n    ')}`)
  }
  for (const defect of defects) say(`\nFailed: ${defect}`)
  if (flakyFile !== undefined) writeFileSync(flakyFile, `${JSON.stringify(flaky, null, 2)}\n`)
  for (const { file, title } of flaky) say(`Flaky: ${file} › ${title}`)
}

/** Counts of a whole run: a flaky test has passed, a defect counts as failed. */
export function countsOf({ tests, flaky, failed, defects }) {
  const count = (status) => tests.filter((test) => test.status === status).length
  return {
    passed: count('passed') + flaky.length,
    failed: failed.length + defects.length,
    skipped: count('skipped'),
  }
}

/** One line per part: its seconds, and its budget if exceeded. */
export function printSeconds(parts) {
  say('\nSeconds')
  for (const { title, seconds, budget } of parts) {
    const over = budget !== undefined && seconds > budget ? ` (over its budget of ${budget})` : ''
    say(`  ${title}: ${seconds}${over}`)
  }
}

/** The last line of every test run. */
export function printCounts({ passed, failed, skipped }) {
  say(`${passed} passed, ${failed} failed, ${skipped} skipped`)
}
