import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'

import { describe, expect, it } from 'vitest'

import type { Row } from '../measure/row'
import { LEAKS } from './plant'

const LIMIT_MS = 240_000

/** A soak in a Node of its own, where nothing else opens handles or makes objects. */
async function soak(args: string[]): Promise<Row[]> {
  const script = resolve('scripts/soak.mjs')
  const child = spawn(process.execPath, [script, '--json', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const { pid } = child
  // The group, as the script waits for a process of its own.
  const limit = setTimeout(() => pid !== undefined && process.kill(-pid, 'SIGKILL'), LIMIT_MS)
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  clearTimeout(limit)
  if (!output.startsWith('{')) throw new Error(`The soak did not end well: ${output}${errors}`)
  return (JSON.parse(output) as { rows: Row[] }).rows
}

function missed(rows: Row[]): string[] {
  return rows.filter(({ ok }) => !ok).map(({ metric, value }) => `${metric} ${value}`)
}

describe('starting and stopping ten servers over and over', () => {
  it(
    'leaves no handle, timer, listener or process, and memory flat',
    async () => {
      const rows = await soak(['--cycles=20'])
      expect(rows.length).toBeGreaterThan(10)
      expect(missed(rows)).toEqual([])
    },
    LIMIT_MS + 10_000,
  )

  it(
    'would be noticed if it did',
    async () => {
      const rows = await soak(['--cycles=6', ...LEAKS.map((leak) => `--plant=${leak}`)])
      const metrics = missed(rows).map((one) => one.replace(/ .*/u, ''))
      expect(metrics).toEqual(
        expect.arrayContaining([
          'handles-left',
          'processes-left',
          'processListeners-left',
          'sessions-per-cycle',
          'timers-per-cycle',
          'heap-kb-per-cycle',
        ]),
      )
    },
    LIMIT_MS + 10_000,
  )
})
