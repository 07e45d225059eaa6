// The two test runners, with one result type: `{ seconds, tests, defects }`. A test is `{ file, title, status: passed | failed | skipped,
// errors, reason? }`; a defect is an error outside tests, as text.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

import { ROOT, run } from '../toolchain.mjs'

const REPORTER = join(ROOT, 'scripts', 'tests', 'unit-report.mjs')

/** Runs Vitest with these arguments. `folder` gets its report; `options` are those of `run`, such as the folder of its configuration. */
export function unitTests({ folder, args = [], options = {} }) {
  const begin = (name, more) => {
    const report = join(folder, `${name}.json`)
    return measured('Unit tests', report, readUnit, () =>
      run('vitest', ['run', '--reporter=default', `--reporter=${REPORTER}`, ...args, ...more], {
        ...options,
        env: { PATCHBAY_UNIT_REPORT: report },
      }),
    )
  }
  return {
    title: 'Unit tests',
    first: () => begin('unit', []),
    again: (failed, look) =>
      begin(`unit-again-${look}`, [
        ...new Set(failed.map(({ file }) => file)),
        '--maxWorkers=1',
        `--testNamePattern=^(?:${failed.map(({ title }) => patternOf(title)).join('|')})$`,
      ]),
  }
}

/** Runs Playwright with these arguments; `wrap` is a program that provides a display. */
export function wholeAppTests({ folder, args = [], wrap = [], env = {} }) {
  const begin = (name, more) => {
    const report = join(folder, `${name}.json`)
    const output = ['--output', join(folder, name)]
    const [program, ...rest] = [...wrap, 'playwright', 'test', ...args, ...output, ...more]
    return measured('Whole-app tests', report, readWholeApp, () =>
      run(program, rest, { env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report } }),
    )
  }
  return {
    title: 'Whole-app tests',
    first: () => begin('e2e', []),
    again: (failed, look) =>
      begin(`e2e-again-${look}`, [
        ...new Set(failed.map(({ place }) => place)),
        ...[...new Set(failed.map(({ project }) => project))].map((name) => `--project=${name}`),
        '--workers=1',
        '--trace=on',
      ]),
  }
}

/** A runner's result. If it dies, or fails without naming a failed test, that is a defect. */
function measured(title, report, read, start) {
  mkdirSync(dirname(report), { recursive: true })
  rmSync(report, { force: true })
  const began = Date.now()
  const code = start()
  const seconds = Math.round((Date.now() - began) / 1000)
  const { tests, defects } = existsSync(report) ? read(report) : { tests: [], defects: [] }
  const count = (status) => tests.filter((test) => test.status === status).length
  const isAccounted = code === 0 ? tests.length > 0 : count('failed') > 0 || defects.length > 0
  if (isAccounted && existsSync(report)) return { seconds, tests, defects }
  const what = `${title} ended with code ${code}, ${tests.length} tests and no failure named.`
  return { seconds, tests, defects: [...defects, what] }
}

function readUnit(report) {
  const { tests, defects } = JSON.parse(readFileSync(report, 'utf8'))
  const plain = (words) => stripVTControlCharacters(words)
  return {
    tests: tests.map((test) => ({ ...test, errors: test.errors.map(plain) })),
    defects: defects.map(plain),
  }
}

function readWholeApp(report) {
  const { suites, errors } = JSON.parse(readFileSync(report, 'utf8'))
  const plain = ({ message = '', value = '' }) => stripVTControlCharacters(message || value)
  const tests = suites
    .flatMap((suite) => specsOf(suite))
    .flatMap(({ titles, spec }) =>
      spec.tests.map(({ projectName, status, annotations, results }) => ({
        file: `e2e/${spec.file}`,
        title: [projectName, ...titles, spec.title].join(' › '),
        project: projectName,
        place: `e2e/${spec.file}:${spec.line}`,
        status: { expected: 'passed', skipped: 'skipped' }[status] ?? 'failed',
        errors: results.flatMap((result) => result.errors.map(plain)),
        reason: annotations.map(({ description }) => description).join(' '),
        trace: results
          .flatMap(({ attachments }) => attachments)
          .find(({ name }) => name === 'trace')?.path,
      })),
    )
  return { tests, defects: errors.map(plain) }
}

/** The outermost suite is the file, which precedes the title already. */
function specsOf({ specs = [], suites = [] }, titles = []) {
  return [
    ...specs.map((spec) => ({ titles, spec })),
    ...suites.flatMap((suite) => specsOf(suite, [...titles, suite.title])),
  ]
}

/** Vitest joins suite and test names by a space for filters, and by an arrow in reports. */
function patternOf(title) {
  return title
    .split(' > ')
    .map((part) => part.replace(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`))
    .join(' (?:> )?')
}
