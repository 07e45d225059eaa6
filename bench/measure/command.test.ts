import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'

import { expect, it } from 'vitest'

/** Runs a project script that should reject its arguments. */
function refusal(script: string, args: string[]): { status: number | null; stderr: string } {
  const { status, stderr } = spawnSync(process.execPath, [resolve('scripts', script), ...args], {
    encoding: 'utf8',
    timeout: 60_000,
  })
  return { status, stderr }
}

it('an unknown bench names the existing ones', () => {
  const { status, stderr } = refusal('bench.mjs', ['nothing'])
  expect(status).toBe(1)
  expect(stderr).toContain('There is no bench "nothing"')
  expect(stderr).toMatch(/NAME is one of: .*\bstdio\b/u)
})

it('invalid arguments are explained', () => {
  expect(refusal('bench.mjs', []).stderr).toContain('One NAME is needed')
  expect(refusal('bench.mjs', ['stdio', '--rounds', '0']).stderr).toContain(
    '--rounds 0 is no count',
  )
  expect(refusal('bench.mjs', ['stdio', '--fast']).stderr).toContain('Usage: npm run bench')
  expect(refusal('soak.mjs', ['--cycles', '2']).stderr).toContain('--cycles 2 is no count')
  expect(refusal('soak.mjs', ['--plant', 'rose']).stderr).toContain('There is no "rose" to plant')
})
