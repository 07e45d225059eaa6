import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

import { describe, expect, it } from 'vitest'

const BENCHES = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => file.replace(/\.ts$/u, ''))
const LIMIT_MS = 900_000

describe('every bench', () => {
  it.each(BENCHES)(
    '%s completes a round and prints its metrics',
    { timeout: LIMIT_MS },
    async (name) => {
      const program = resolve(join(import.meta.dirname, '..', 'scripts', 'bench.mjs'))
      const args = [program, name, '--json', '--rounds', '1']
      const { stdout } = await promisify(execFile)(process.execPath, args)
      const report = JSON.parse(stdout) as {
        readonly name: string
        readonly rows: readonly object[]
      }
      expect(report.name).toBe(name)
      expect(report.rows.length).toBeGreaterThan(0)
    },
  )
})
