// `npm run bench -- NAME [--json] [--rounds N]`: bundles bench/NAME.ts and runs it with the project's Node.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { bundle } from './bundle.mjs'
import { wholeApp } from './kept-builds.mjs'
import { fail, ROOT, run } from './toolchain.mjs'

const BENCH = join(ROOT, 'bench')
const MAX_ROUNDS = 100
const NAMES = readdirSync(BENCH)
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => file.replace(/\.ts$/, ''))
const USAGE = `Usage: npm run bench -- NAME [--json] [--rounds N]
NAME is one of: ${NAMES.join(', ')}. N is 1 to ${MAX_ROUNDS}.
With --json the one line on stdout is {name, rows}; npm's own lines are left out by "npm run --silent bench".`

/** Benches of the whole app. */
const OF_THE_APP = new Set(['catalog', 'gateway', 'supervise', 'ui'])

const { name, rest } = readArguments()
if (OF_THE_APP.has(name)) wholeApp()
const program = await bundle(join(BENCH, `${name}.ts`)).catch((error) =>
  fail(`bench/${name}.ts could not be bundled: ${error.message}`),
)
try {
  process.exitCode = run('node', ['--expose-gc', program.file, ...rest], {
    env: { PATCHBAY_OUT_DIR: join(ROOT, 'out') },
  })
} finally {
  program.remove()
}

function readArguments() {
  let parsed
  try {
    parsed = parseArgs({
      allowPositionals: true,
      options: { json: { type: 'boolean' }, rounds: { type: 'string' } },
    })
  } catch (error) {
    return fail(`${error.message}\n${USAGE}`)
  }
  const { positionals, values } = parsed
  const [name] = positionals
  if (name === undefined || positionals.length > 1) return fail(`One NAME is needed.\n${USAGE}`)
  if (!NAMES.includes(name)) return fail(`There is no bench "${name}".\n${USAGE}`)
  const rounds = values.rounds ?? ''
  const isCount = /^[1-9]\d*$/.test(rounds) && Number(rounds) <= MAX_ROUNDS
  if (values.rounds !== undefined && !isCount)
    return fail(`--rounds ${rounds} is no count.\n${USAGE}`)
  return {
    name,
    rest: [...(values.json ? ['--json'] : []), ...(isCount ? ['--rounds', rounds] : [])],
  }
}
