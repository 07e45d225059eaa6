// `npm run conformance`: bundles the programs of e2e/conformance, and runs every scenario.
import { join } from 'node:path'

import { bundle } from './bundle.mjs'
import { requireNode, ROOT, run } from './toolchain.mjs'

requireNode()
const FOLDER = join(ROOT, 'e2e', 'conformance')
const driver = await bundle(join(FOLDER, 'driver.ts'))
const fixture = await bundle(join(FOLDER, 'fixture-server.ts'))
const front = await bundle(join(FOLDER, 'gateway-front.ts'))
const runner = await bundle(join(FOLDER, 'run-conformance.ts'))
try {
  process.exitCode = run('node', [runner.file, driver.file, fixture.file, front.file])
  if (process.exitCode === 0) run('oxfmt', ['docs/conformance.md'])
} finally {
  for (const one of [driver, fixture, front, runner]) one.remove()
}
