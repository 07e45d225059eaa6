// `npm run test:long [-- PART …]`: runs tests that take too long for the gate, part by part with separate results; a failed part doesn't
// stop the next. `-- --list` names the parts.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { prepareRealElectron } from '../e2e/real-electron/prepare.mjs'
import { ensureSystemPackages } from './system-packages.mjs'
import { countsOf, printCounts, printSeconds, printTests } from './tests/closing.mjs'
import { unitTests, wholeAppTests } from './tests/runners.mjs'
import { build, ensureToolchain, fail, ROOT, say } from './toolchain.mjs'

const RESULTS = join(ROOT, 'test-results', 'long')
/** Parts with their runners: projects of vitest.config.ts and of e2e/long.config.ts. */
const PARTS = {
  faults: {
    runners: [unit],
    holds: 'what servers do wrong, each fault a row of docs/reliability.md',
  },
  soak: {
    runners: [unit],
    holds: 'a short soak of servers and of the gateway, with planted leaks',
  },
  benches: { runners: [unit], holds: 'one round of every bench, so that none rots' },
  runners: { runners: [unit, wholeApp], holds: 'real npx and uvx, published servers' },
  forms: { runners: [wholeApp], holds: 'the most complex published forms by keyboard' },
  views: { runners: [wholeApp], holds: 'the views of five published servers, drawn in Chromium' },
  'killed-app': { runners: [wholeApp], holds: 'SIGKILL of the app, and what its next start finds' },
  accessibility: { runners: [wholeApp], holds: 'axe on every screen and theme' },
  'agents-restart': {
    runners: [unit],
    holds: 'Patchbay restarts under published agents at work',
  },
  sleeping: { runners: [unit], holds: 'connections whose far side goes silent, as in a sleep' },
  differential: {
    runners: [unit],
    holds: 'odd and published servers, asked directly and through the gateway',
  },
  vet: {
    runners: [unit],
    holds: 'reports of published servers, written to docs/report-cards.md',
    packages: ['strace'],
  },
  'vet-field': {
    runners: [unit],
    holds: 'one report of each of 62 published servers, in test-results/vet',
    packages: ['strace'],
  },
  conformance: { runners: [unit], holds: 'the quick scenarios of the conformance suite' },
  packaging: {
    runners: [unit],
    holds: 'packages for Linux from a stand-in for Electron, installed and run',
    packages: ['desktop-file-utils', 'p7zip-full', 'rpm', 'squashfs-tools'],
  },
  docker: {
    runners: [unit],
    holds: 'containers of a real Docker daemon, and of Podman where it runs',
    packages: ['docker.io', 'docker-registry', 'podman'],
  },
  'npm-package': {
    runners: [unit],
    holds: 'the npm package, packed and installed into an empty folder',
  },
  waits: { runners: [unit], holds: 'the core where it waits for many seconds' },
  screens: { runners: [wholeApp], holds: 'the browser specs that are no journey of the gate' },
  double: {
    runners: [wholeApp],
    holds: 'all desktop specs and the copies of browser specs on the double',
  },
  'real-electron': {
    runners: [realElectron],
    holds: 'all desktop specs and those of a real desktop in an older, real Electron',
    packages: [
      ...['libnotify4', 'openbox', 'scrot', 'xdotool'],
      ...['dunst', 'python3-gi', 'gir1.2-gtk-3.0', 'gir1.2-dbusmenu-gtk3-0.4'],
    ],
  },
}
const USAGE = `Usage: npm run test:long [-- PART …]\n${Object.entries(PARTS)
  .map(([name, { holds }]) => `  ${name.padEnd(14)}${holds}`)
  .join('\n')}`

const names = readArguments()
ensureToolchain()
ensureSystemPackages(names.flatMap((name) => PARTS[name].packages ?? []))
rmSync(RESULTS, { recursive: true, force: true })
mkdirSync(RESULTS, { recursive: true })
build()
const results = []
for (const name of names) results.push(await runPart(name))
say('')
for (const { name, counts } of results) {
  say(`${name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
}
printSeconds(results.map(({ name, seconds }) => ({ title: name, seconds })))
const sum = (key) => results.reduce((total, { counts }) => total + counts[key], 0)
printCounts({ passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') })
process.exitCode = sum('failed') === 0 ? 0 : 1

async function runPart(name) {
  say(`\n${name}`)
  const folder = join(RESULTS, name)
  const outcomes = []
  for (const runner of PARTS[name].runners) outcomes.push((await runner(name, folder)).first())
  const tests = outcomes.flatMap((outcome) => outcome.tests)
  const result = {
    tests,
    flaky: [],
    failed: tests.filter(({ status }) => status === 'failed'),
    defects: outcomes.flatMap((outcome) => outcome.defects),
  }
  printTests(result)
  const seconds = outcomes.reduce((total, outcome) => total + outcome.seconds, 0)
  return { name, seconds, counts: countsOf(result) }
}

/** One worker: parts that measure load or memory, or run near their limits, run alone. */
function unit(name, folder) {
  return unitTests({ folder, args: [`--project=${name}`, '--maxWorkers=1'] })
}

function wholeApp(name, folder) {
  return wholeAppTests({ folder, args: ['--config', 'e2e/long.config.ts', `--project=${name}`] })
}

/** Specs of the built app in a real Electron on a private desktop; one skipped test if something is missing. */
async function realElectron(name, folder) {
  const { env, obstacle } = await prepareRealElectron()
  if (obstacle !== undefined) {
    const skipped = { file: 'e2e/real-electron', title: name, status: 'skipped', reason: obstacle }
    return { first: () => ({ seconds: 0, tests: [{ ...skipped, errors: [] }], defects: [] }) }
  }
  const args = ['--config', 'e2e/long.config.ts', `--project=${name}`]
  const wrap = ['node', 'e2e/real-electron/session.mjs']
  return wholeAppTests({ folder, args, env, wrap })
}

function readArguments() {
  let parsed
  try {
    parsed = parseArgs({ allowPositionals: true, options: { list: { type: 'boolean' } } })
  } catch (error) {
    return fail(`${error.message}\n${USAGE}`)
  }
  if (parsed.values.list) {
    say(USAGE)
    process.exit(0)
  }
  const unknown = parsed.positionals.filter((name) => !Object.hasOwn(PARTS, name))
  if (unknown.length > 0) return fail(`There is no part "${unknown.join('", "')}".\n${USAGE}`)
  return parsed.positionals.length > 0 ? parsed.positionals : Object.keys(PARTS)
}
