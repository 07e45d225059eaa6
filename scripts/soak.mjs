// `npm run soak [-- --cycles N] [--json] [--plant LEAK]`: starts and stops ten servers over and over and
// counts what is left. Exit code 1 when something leaks. A planted leak proves that it would be found.
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { bundle } from './bundle.mjs'
import { fail, ROOT, run } from './toolchain.mjs'

const MAX_CYCLES = 10_000
const LEAKS = ['timer', 'listener', 'array', 'process', 'session']
const USAGE = `Usage: npm run soak [-- --cycles N] [--json] [--plant LEAK]
N is 5 to ${MAX_CYCLES}, 200 by default. LEAK is one of: ${LEAKS.join(', ')}; it may be given several times.`

const values = readArguments()
const program = await bundle(join(ROOT, 'bench', 'soak', 'soak.ts')).catch((error) =>
  fail(`bench/soak could not be bundled: ${error.message}`),
)
try {
  process.exitCode = run('node', [
    '--expose-gc',
    '--disable-warning=ExperimentalWarning',
    '--disable-warning=MaxListenersExceededWarning',
    program.file,
    `--cycles=${values.cycles}`,
    ...(values.json ? ['--json'] : []),
    ...values.plant.map((leak) => `--plant=${leak}`),
  ])
} finally {
  program.remove()
}

function readArguments() {
  let parsed
  try {
    parsed = parseArgs({
      options: {
        cycles: { type: 'string', default: '200' },
        json: { type: 'boolean' },
        plant: { type: 'string', multiple: true, default: [] },
      },
    })
  } catch (error) {
    return fail(`${error.message}\n${USAGE}`)
  }
  const { cycles, plant } = parsed.values
  if (!/^\d+$/.test(cycles) || Number(cycles) < 5 || Number(cycles) > MAX_CYCLES)
    return fail(`--cycles ${cycles} is no count.\n${USAGE}`)
  const unknown = plant.find((leak) => !LEAKS.includes(leak))
  if (unknown !== undefined) return fail(`There is no leak "${unknown}" to plant.\n${USAGE}`)
  return parsed.values
}
