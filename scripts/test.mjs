// `npm test`: installs what is missing, then runs the checks, the unit tests and the whole-app tests,
// and ends with one line: N passed, N failed, N skipped.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { ensureSystemPackages } from './system-packages.mjs'
import { build, ensureToolchain, ROOT, run, say } from './toolchain.mjs'

const RESULTS = join(ROOT, 'test-results')
const UNIT = join(RESULTS, 'unit.json')
const E2E = join(RESULTS, 'e2e.json')

ensureToolchain()
ensureSystemPackages()
rmSync(RESULTS, { recursive: true, force: true })
mkdirSync(RESULTS, { recursive: true })

const isChecked = run('npm', ['run', '--silent', 'check']) === 0
if (!isChecked) say('The checks failed; the tests run all the same.')
build()
const parts = [
  runPart(
    'Unit tests',
    ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${UNIT}`],
    readUnit,
  ),
  runPart('Whole-app tests', e2eCommand(), readE2e),
]
if (!isElectronHere()) {
  say('The Electron binary is not here: the desktop specs ran on the double, not in Electron.')
}
const sum = (key) => parts.reduce((total, part) => total + part[key], 0)
const failed = sum('failed') + (isChecked ? 0 : 1)
say(`${sum('passed')} passed, ${failed} failed, ${sum('skipped')} skipped`)
process.exitCode = failed === 0 ? 0 : 1

/** Runs one part; a runner that ends badly without naming a failed test counts as one. */
function runPart(title, [command, ...args], read) {
  say(`\n${title}`)
  const code = run(command, args)
  const counts = read()
  const isAccounted = code === 0 ? counts.passed > 0 : counts.failed > 0
  return isAccounted ? counts : { ...counts, failed: counts.failed + 1 }
}

/** The titles of skipped unit tests tell why. */
function readUnit() {
  if (!existsSync(UNIT)) return { passed: 0, failed: 0, skipped: 0 }
  const report = JSON.parse(readFileSync(UNIT, 'utf8'))
  const skipped = report.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => !['passed', 'failed'].includes(status))
  for (const { fullName } of skipped) say(`Skipped: ${fullName}`)
  return { passed: report.numPassedTests, failed: report.numFailedTests, skipped: skipped.length }
}

function readE2e() {
  if (!existsSync(E2E)) return { passed: 0, failed: 0, skipped: 0 }
  const { stats, suites } = JSON.parse(readFileSync(E2E, 'utf8'))
  for (const { title, tests } of suites.flatMap(specsOf)) {
    for (const { projectName, status, annotations } of tests) {
      const reasons = annotations.map(({ description }) => description).join(' ')
      if (status === 'skipped') say(`Skipped: ${projectName}, ${title}: ${reasons}`)
    }
  }
  const { expected, unexpected, flaky, skipped } = stats
  return { passed: expected, failed: unexpected + flaky, skipped }
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
