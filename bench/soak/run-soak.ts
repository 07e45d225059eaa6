import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'

import type { Row } from '../measure/row'

/** Rows of a soak in its own Node, where nothing else opens handles or creates objects; rejects if it doesn't succeed within `limitMs`. */
export async function runSoak(args: readonly string[], limitMs: number): Promise<Row[]> {
  const script = resolve('scripts/soak.mjs')
  const child = spawn(process.execPath, [script, ...args, '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const { pid } = child
  // The whole group, because the script waits for its own process.
  const limit = setTimeout(() => pid !== undefined && process.kill(-pid, 'SIGKILL'), limitMs)
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  clearTimeout(limit)
  if (!output.startsWith('{')) throw new Error(`The soak did not end well: ${output}${errors}`)
  return (JSON.parse(output) as { rows: Row[] }).rows
}

/** Rows that miss their bar, with their values. */
export function missed(rows: readonly Row[]): string[] {
  return rows.filter(({ ok }) => !ok).map(({ metric, value }) => `${metric} ${value}`)
}
