// `npm run test:flaky [-- --rounds N] [FILE …]`: runs the gate's tests repeatedly next to a busy loop on one core, without retries, and
// prints each failed test with its number of failures.
import { spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { ensureSystemPackages } from './system-packages.mjs'
import { printCounts } from './tests/closing.mjs'
import { unitTests, wholeAppTests } from './tests/runners.mjs'
import { build, ensureToolchain, fail, ROOT, say } from './toolchain.mjs'

const RESULTS = join(ROOT, 'test-results', 'flaky')
const MAX_ROUNDS = 100
const USAGE = `Usage: npm run test:flaky [-- --rounds N] [FILE …]
N is 1 to ${MAX_ROUNDS}, 5 by default. FILE is a *.test.ts or *.spec.ts; without one, all that the gate runs.`

const { rounds, files } = readArguments()
ensureToolchain()
ensureSystemPackages()
rmSync(RESULTS, { recursive: true, force: true })
mkdirSync(RESULTS, { recursive: true })
build()
const busy = spawn(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore' })
process.once('exit', () => busy.kill('SIGKILL'))
const failures = new Map()
let failed = 0
let passed = 0
let skipped = 0
for (let round = 1; round <= rounds; round++) runRound(round)
say('')
for (const [name, count] of [...failures].sort(([, a], [, b]) => b - a)) {
  say(`${count} of ${rounds}: ${name}`)
}
printCounts({ passed, failed, skipped })
busy.kill('SIGKILL')
process.exitCode = failed === 0 ? 0 : 1

function runRound(round) {
  say(`\nRound ${round} of ${rounds}`)
  for (const runner of runnersOf(join(RESULTS, `round-${round}`))) {
    const { tests, defects } = runner.first()
    for (const { file, title, status } of tests) {
      if (status === 'passed') passed += 1
      else if (status === 'skipped') skipped += 1
      else note(`${file} › ${title}`)
    }
    for (const defect of defects) note(defect)
  }
}

function note(name) {
  failed += 1
  failures.set(name, (failures.get(name) ?? 0) + 1)
}

function runnersOf(folder) {
  const units = files.filter((file) => file.endsWith('.test.ts'))
  const specs = files.filter((file) => file.endsWith('.spec.ts'))
  const hasAll = files.length === 0
  return [
    ...(hasAll || units.length > 0
      ? [unitTests({ folder, args: [...(hasAll ? ['--project=gate*'] : []), ...units] })]
      : []),
    ...(hasAll || specs.length > 0
      ? [wholeAppTests({ folder, args: ['--config', 'e2e/gate.config.ts', ...specs] })]
      : []),
  ]
}

function readArguments() {
  let parsed
  try {
    parsed = parseArgs({ allowPositionals: true, options: { rounds: { type: 'string' } } })
  } catch (error) {
    return fail(`${error.message}\n${USAGE}`)
  }
  const { positionals, values } = parsed
  const count = values.rounds ?? '5'
  if (!/^[1-9]\d*$/.test(count) || Number(count) > MAX_ROUNDS) {
    return fail(`--rounds ${count} is no count.\n${USAGE}`)
  }
  const odd = positionals.filter((file) => !/\.(?:test|spec)\.ts$/.test(file))
  if (odd.length > 0) return fail(`"${odd.join('", "')}" is no file of tests.\n${USAGE}`)
  return { rounds: Number(count), files: positionals }
}
