import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { countsOf, printTests } from './closing.mjs'
import { unitTests } from './runners.mjs'
import { lookAgain } from './second-look.mjs'

const CONFIGURATION = `export default { test: { globals: true, pool: 'forks', include: ['*.test.mjs'] } }`
const PASSES = `test('passes', () => {})`
/** Fails until its own mark exists, and creates it. */
const failsOnce = (name) => `test('${name}', () => {
  const mark = new URL('${name}.seen', import.meta.url)
  if (fs.existsSync(mark)) return
  fs.writeFileSync(mark, '')
  throw new Error('chance')
})`

let folder
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'patchbay-second-look-'))
  writeFileSync(join(folder, 'vitest.config.mjs'), CONFIGURATION)
})
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))

function plant(...tests) {
  const text = [`import fs from 'node:fs'`, ...tests].join('\n')
  writeFileSync(join(folder, 'planted.test.mjs'), text)
}

/** The result of a gate with only the planted tests. */
function gate() {
  const runner = unitTests({
    folder: join(folder, 'results'),
    options: { cwd: folder, stdio: 'ignore' },
  })
  const outcome = runner.first()
  const looked = lookAgain([{ runner, outcome }])
  return { ...looked, tests: outcome.tests, counts: countsOf({ tests: outcome.tests, ...looked }) }
}

describe('the retry of failed tests', () => {
  test('lets a test pass that fails once and passes alone, and prints it as flaky', () => {
    plant(PASSES, failsOnce('fails once'))
    const result = gate()
    expect(result.counts).toEqual({ passed: 2, failed: 0, skipped: 0 })
    const flakyFile = join(folder, 'flaky.json')
    const said = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    printTests({ ...result, flakyFile })
    const lines = said.mock.calls.flat()
    said.mockRestore()
    expect(lines).toEqual(['Flaky: planted.test.mjs › fails once\n'])
    expect(JSON.parse(readFileSync(flakyFile, 'utf8'))).toEqual([
      expect.objectContaining({ file: 'planted.test.mjs', title: 'fails once' }),
    ])
  })

  test('fails a test that fails each time, and keeps its messages', () => {
    plant(PASSES, `test('is wrong (always)', () => expect(1).toBe(2))`)
    const { counts, flaky, failed } = gate()
    expect(counts).toEqual({ passed: 1, failed: 1, skipped: 0 })
    expect(flaky).toEqual([])
    expect(failed[0].errors.join()).toContain('expected 1 to be 2')
    expect(failed[0].again.join()).toContain('expected 1 to be 2')
  })

  test('fails four flaky tests in one run', () => {
    plant(...['one', 'two', 'three', 'four'].map(failsOnce))
    const { counts, flaky, defects } = gate()
    expect(flaky).toHaveLength(4)
    expect(defects).toEqual(['4 flaky tests; at most 3 may be.'])
    expect(counts.failed).toBe(1)
  })

  test("isn't done for more than five failures", () => {
    plant(...['a', 'b', 'c', 'd', 'e', 'f'].map(failsOnce))
    expect(gate().counts).toEqual({ passed: 0, failed: 6, skipped: 0 })
  })

  test.each([
    ['a file that cannot be read', `import './nowhere.mjs'`],
    ['an error that no test handled', `test('x', () => { Promise.reject(new Error('lost')) })`],
    ['a worker that dies', `test('x', () => process.kill(process.pid, 'SIGKILL'))`],
    ['a runner that dies', `test('x', () => process.kill(process.ppid, 'SIGKILL'))`],
    ['a run without a test', ''],
  ])("isn't done for %s, which fails the run next to a flaky test", (_, planted) => {
    plant(failsOnce('fails once'), planted)
    if (planted === '') rmSync(join(folder, 'planted.test.mjs'))
    const { counts, defects, flaky } = gate()
    expect(counts.failed).toBeGreaterThan(0)
    expect(defects.length).toBeGreaterThan(0)
    expect(flaky).toEqual([])
  })
})
