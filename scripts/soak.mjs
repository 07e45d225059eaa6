// `npm run soak [-- --cycles N] [--json] [--plant LEAK]`: starts and stops ten servers repeatedly and counts what is left. `npm run soak --
// gateway [--seconds N] [--json] [--plant FAULT]`: twenty agents call twenty servers through the gateway while servers fail and agents
// disappear. Exit code 1 on failure. A planted fault proves that it would be found.
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { bundle } from './bundle.mjs'
import { fail, ROOT, run } from './toolchain.mjs'

/** Each soak with its program, the limits of its count, and its plantable faults. */
const SOAKS = {
  servers: {
    program: ['bench', 'soak', 'soak.ts'],
    count: { option: 'cycles', least: 5, most: 10_000, usual: 200 },
    plants: ['timer', 'listener', 'array', 'process', 'session'],
  },
  gateway: {
    program: ['bench', 'soak', 'gateway', 'gateway-soak.ts'],
    count: { option: 'seconds', least: 5, most: 86_400, usual: 300 },
    plants: [
      ...['crossed', 'lost', 'twice', 'misnumbered', 'refused', 'progress', 'uncancelled'],
      ...['child', 'memory', 'session', 'handle', 'rejection'],
    ],
  },
}
const USAGE = Object.entries(SOAKS)
  .map(([name, { count, plants }]) => {
    const first =
      name === 'servers' ? 'Usage: npm run soak -- [servers]' : '       npm run soak -- gateway'
    const what = `N is ${count.least} to ${count.most}, ${count.usual} by default. PLANT is one of: ${plants.join(', ')}; it may be given several times.`
    return `${first} [--${count.option} N] [--json] [--plant PLANT]\n       ${what}`
  })
  .join('\n')

const { soak, count, json, plant } = readArguments()
const program = await bundle(join(ROOT, ...soak.program)).catch((error) =>
  fail(`${soak.program.join('/')} could not be bundled: ${error.message}`),
)
try {
  process.exitCode = run('node', [
    '--expose-gc',
    '--disable-warning=ExperimentalWarning',
    '--disable-warning=MaxListenersExceededWarning',
    program.file,
    `--${soak.count.option}=${count}`,
    ...(json ? ['--json'] : []),
    ...plant.map((one) => `--plant=${one}`),
  ])
} finally {
  program.remove()
}

function readArguments() {
  let parsed
  try {
    parsed = parseArgs({
      allowPositionals: true,
      options: {
        cycles: { type: 'string' },
        seconds: { type: 'string' },
        json: { type: 'boolean' },
        plant: { type: 'string', multiple: true, default: [] },
      },
    })
  } catch (error) {
    return fail(`${error.message}\n${USAGE}`)
  }
  const { values, positionals } = parsed
  const [name = 'servers', ...others] = positionals
  const soak = Object.hasOwn(SOAKS, name) ? SOAKS[name] : undefined
  if (!soak || others.length > 0) return fail(`There is no such soak.\n${USAGE}`)
  const { option, least, most, usual } = soak.count
  const other = option === 'cycles' ? 'seconds' : 'cycles'
  if (values[other] !== undefined) return fail(`--${other} is of the other soak.\n${USAGE}`)
  const count = values[option] ?? String(usual)
  if (!/^\d+$/.test(count) || Number(count) < least || Number(count) > most)
    return fail(`--${option} ${count} is no count.\n${USAGE}`)
  const unknown = values.plant.find((one) => !soak.plants.includes(one))
  if (unknown !== undefined) return fail(`There is no "${unknown}" to plant.\n${USAGE}`)
  return { soak, count, json: values.json, plant: values.plant }
}
