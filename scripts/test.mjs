// `npm test`: installs what is missing, then runs the unit tests with the checks beside them, and the
// whole-app tests, and ends with one line: N passed, N failed, N skipped.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

import { ensureSystemPackages } from './system-packages.mjs'
import { build, ensureToolchain, projectEnvironment, ROOT, run, say } from './toolchain.mjs'

const RESULTS = join(ROOT, 'test-results')
const UNIT = join(RESULTS, 'unit.json')
const E2E = join(RESULTS, 'e2e.json')
const CHECKS = join(RESULTS, 'checks.txt')
const NOTHING = { passed: 0, failed: 0, skipped: 0, failures: [] }
/** Every whole-app test starts the same programs: compiled once, each start takes a tenth less processor time. */
const COMPILED = { NODE_COMPILE_CACHE: join(RESULTS, 'compiled') }

ensureToolchain()
ensureSystemPackages()
rmSync(RESULTS, { recursive: true, force: true })
mkdirSync(RESULTS, { recursive: true })

const checked = startChecks()
build()
const unit = runPart(
  'Unit tests',
  ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${UNIT}`],
  readUnit,
)
const isChecked = await checked
const parts = [unit, runPart('Whole-app tests', e2eCommand(), readE2e, COMPILED)]
// Last, where it is still found after a long run.
for (const failure of parts.flatMap(({ failures }) => failures)) say(`\n${failure}`)
if (!isChecked) say('\nFailed: the checks, as told above.')
if (!isElectronHere()) {
  say('The Electron binary is not here: the desktop specs ran on the double, not in Electron.')
}
const sum = (key) => parts.reduce((total, part) => total + part[key], 0)
const failed = sum('failed') + (isChecked ? 0 : 1)
say(`${sum('passed')} passed, ${failed} failed, ${sum('skipped')} skipped`)
process.exitCode = failed === 0 ? 0 : 1

/**
 * Begins the checks, which have a core to themselves while the unit tests wait for the programs that they
 * start. Resolves, once their output stands in one piece, to whether all is well.
 */
async function startChecks() {
  const output = openSync(CHECKS, 'w')
  const child = spawn('npm', ['run', '--silent', 'check'], {
    cwd: ROOT,
    env: projectEnvironment(),
    // A file, as a pipe would not be read while the tests run.
    stdio: ['ignore', output, output],
    shell: process.platform === 'win32',
  })
  const [code] = await once(child, 'exit')
  closeSync(output)
  say(`\nChecks\n${readFileSync(CHECKS, 'utf8')}`)
  say(code === 0 ? 'All is well.' : 'The checks failed; the tests run all the same.')
  return code === 0
}

/** Runs one part; a runner that ends badly without naming a failed test counts as one. */
function runPart(title, [command, ...args], read, env = {}) {
  say(`\n${title}`)
  const code = run(command, args, { env })
  const counts = read()
  const isAccounted = code === 0 ? counts.passed > 0 : counts.failed > 0
  if (isAccounted) return counts
  const failure = `Failed: ${title} ended with code ${code}, ${counts.passed} passed and no failure named.`
  return { ...counts, failed: counts.failed + 1, failures: [...counts.failures, failure] }
}

/** The titles of skipped unit tests tell why. */
function readUnit() {
  if (!existsSync(UNIT)) return NOTHING
  const report = JSON.parse(readFileSync(UNIT, 'utf8'))
  const results = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map((result) => ({ ...result, file: relative(ROOT, name) })),
  )
  const skipped = results.filter(({ status }) => !['passed', 'failed'].includes(status))
  for (const { fullName } of skipped) say(`Skipped: ${fullName}`)
  const failures = results
    .filter(({ status }) => status === 'failed')
    .map(({ file, fullName, failureMessages }) =>
      failureOf(`${file}, ${fullName}`, failureMessages),
    )
  const { numPassedTests: passed, numFailedTests: failed } = report
  return { passed, failed, skipped: skipped.length, failures }
}

/** A failed test in one piece: its title and the beginning of what each of its errors says. */
function failureOf(title, errors) {
  const told = errors.map((error) => stripVTControlCharacters(error).split('\n').slice(0, 25))
  return [`Failed: ${title}`, ...told.flat()].join('\n    ')
}

function readE2e() {
  if (!existsSync(E2E)) return NOTHING
  const { stats, suites } = JSON.parse(readFileSync(E2E, 'utf8'))
  const failures = []
  for (const { title, file, tests } of suites.flatMap(specsOf)) {
    for (const { projectName, status, annotations, results } of tests) {
      const reasons = annotations.map(({ description }) => description).join(' ')
      if (status === 'skipped') say(`Skipped: ${projectName}, ${title}: ${reasons}`)
      if (!['unexpected', 'flaky'].includes(status)) continue
      const errors = results.flatMap(({ errors }) => errors.map(({ message }) => message ?? ''))
      failures.push(failureOf(`${file}, ${projectName}, ${title}`, errors))
    }
  }
  const { expected, unexpected, flaky, skipped } = stats
  return { passed: expected, failed: unexpected + flaky, skipped, failures }
}

function specsOf({ specs = [], suites = [] }) {
  return [...specs, ...suites.flatMap(specsOf)]
}

/** The real Electron needs a display; headless Chromium and the double do not. */
function e2eCommand() {
  const command = ['playwright', 'test', '--config', 'e2e/playwright.config.ts']
  const needsDisplay = process.platform === 'linux' && !process.env.DISPLAY && isElectronHere()
  return needsDisplay ? ['xvfb-run', '-a', '-s', '-screen 0 1400x900x24', ...command] : command
}

function isElectronHere() {
  return existsSync(join(ROOT, 'node_modules', 'electron', 'path.txt'))
}
