// `npm test`, the gate: installs missing packages, runs checks and build, unit tests and one whole-app journey per capability, retries
// failed tests, and ends with one line: N passed, N failed, N skipped.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { ensureSystemPackages } from './system-packages.mjs'
import { countsOf, printCounts, printSeconds, printTests } from './tests/closing.mjs'
import { unitTests, wholeAppTests } from './tests/runners.mjs'
import { lookAgain } from './tests/second-look.mjs'
import { build, ensureToolchain, projectEnvironment, ROOT, say } from './toolchain.mjs'

const RESULTS = join(ROOT, 'test-results')
/** Every whole-app test starts the same programs: with a compile cache, each start takes a tenth less processor time. */
const COMPILED = { NODE_COMPILE_CACHE: join(RESULTS, 'compiled') }
/** The gate's time budget on two cores, in seconds. */
const BUDGET = { wholeApp: 180, all: 420 }

const began = Date.now()
const seconds = []
timed('Packages', () => {
  say(`Node ${ensureToolchain().slice(1)} of the project runs the tests.`)
  ensureSystemPackages()
})
rmSync(RESULTS, { recursive: true, force: true })
mkdirSync(RESULTS, { recursive: true })

// The build writes a temporary file next to the sources, which the checks would find.
timed('Build', build)
const checked = startChecks()
const unit = begin(unitTests({ folder: RESULTS, args: ['--project=gate*'] }))
const isChecked = await checked
const wholeApp = begin(
  wholeAppTests({
    folder: RESULTS,
    args: ['--config', 'e2e/gate.config.ts'],
    wrap: display(),
    env: COMPILED,
  }),
  BUDGET.wholeApp,
)
const parts = [unit, wholeApp]
const looked = timed('Second look', () => lookAgain(parts))
const defects = [...looked.defects, ...(isChecked ? [] : ['the checks, as shown above.'])]
const tests = parts.flatMap(({ outcome }) => outcome.tests)
// Last, so that it is found after a long run.
printTests({ tests, ...looked, defects, flakyFile: join(RESULTS, 'flaky.json') })
if (!isElectronHere()) {
  say('The Electron binary is not here: the desktop specs ran on the double, not in Electron.')
}
printSeconds([...seconds, { title: 'All', seconds: sinceBegin(), budget: BUDGET.all }])
const counts = countsOf({ tests, ...looked, defects })
printCounts(counts)
process.exitCode = counts.failed === 0 ? 0 : 1

/**
 * Runs the checks next to the unit tests, which wait half of their time. Resolves to whether they passed, once their output was printed in
 * one piece.
 */
async function startChecks() {
  const start = sinceBegin()
  const output = join(RESULTS, 'checks.txt')
  const file = openSync(output, 'w')
  const child = spawn('npm', ['run', '--silent', 'check'], {
    cwd: ROOT,
    env: projectEnvironment(),
    // A file, because a pipe wouldn't be read while the tests run.
    stdio: ['ignore', file, file],
    // On Windows npm is a script.
    shell: process.platform === 'win32',
  })
  const [code] = await once(child, 'exit')
  closeSync(file)
  seconds.push({ title: 'Checks, until they were waited for', seconds: sinceBegin() - start })
  say(`\nChecks\n${readFileSync(output, 'utf8')}`)
  say(code === 0 ? 'All is well.' : 'The checks failed; the tests run all the same.')
  return code === 0
}

function begin(runner, budget) {
  say(`\n${runner.title}`)
  const outcome = runner.first()
  seconds.push({ title: runner.title, seconds: outcome.seconds, budget })
  return { runner, outcome }
}

function timed(title, task) {
  const start = Date.now()
  const result = task()
  seconds.push({ title, seconds: Math.round((Date.now() - start) / 1000) })
  return result
}

function sinceBegin() {
  return Math.round((Date.now() - began) / 1000)
}

/** Real Electron needs a display; headless Chromium and the double don't. */
function display() {
  const needsDisplay = process.platform === 'linux' && !process.env.DISPLAY && isElectronHere()
  return needsDisplay ? ['xvfb-run', '-a', '-s', '-screen 0 1400x900x24'] : []
}

function isElectronHere() {
  return existsSync(join(ROOT, 'node_modules', 'electron', 'path.txt'))
}
