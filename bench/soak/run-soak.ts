import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'

import type { Row } from '../measure/row'

/** The rows of a soak in a Node of its own, where nothing else opens handles or makes objects; rejects when it does not end within `limitMs` or well. */
export async function runSoak(args: readonly string[], limitMs: number): Promise<Row[]> {
  const script = resolve('scripts/soak.mjs')
  const child = spawn(process.execPath, [script, ...args, '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const { pid } = child
  // The group, as the script waits for a process of its own.
  const limit = setTimeout(() => pid !== undefined && process.kill(-pid, 'SIGKILL'), limitMs)
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  clearTimeout(limit)
  if (!output.startsWith('{')) throw new Error(`The soak did not end well: ${output}${errors}`)
  return (JSON.parse(output) as { rows: Row[] }).rows
}

/** The rows that miss their bar, each with its value. */
export function missed(rows: readonly Row[]): string[] {
  return rows.filter(({ ok }) => !ok).map(({ metric, value }) => `${metric} ${value}`)
}
