import { readFileSync } from 'node:fs'

import { markedProcesses } from '../census'
import type { SeenServer } from './core-protocol'

/** Current processes of each server, by name; empty except on Linux. */
export function childrenOf(mark: string): Map<string, number[]> {
  const seen = markedProcesses(mark).map((pid) => ({ pid, name: nameOf(pid) }))
  // A process with the same name before and after existed in between.
  const there = seen.filter(({ pid, name }) => name !== undefined && nameOf(pid) === name)
  const byName = Map.groupBy(there, ({ name }) => name ?? '')
  return new Map([...byName].map(([name, all]) => [name, all.map(({ pid }) => pid)]))
}

/** Samples the core's children repeatedly. */
export class ChildWatch {
  samples = 0
  /** Servers with more than one process, or another than the core reports. */
  readonly wrong: string[] = []

  constructor(
    private readonly mark: string,
    private readonly servers: () => Promise<SeenServer[]>,
    private readonly isDown: (server: string) => boolean,
  ) {}

  async look(): Promise<void> {
    const before = await this.servers()
    const children = childrenOf(this.mark)
    const after = await this.servers()
    this.samples += 1
    for (const [at, { name, pid, status }] of after.entries()) {
      const pids = children.get(name) ?? []
      const isSteady =
        status === 'ready' && before[at]?.status === 'ready' && before[at].pid === pid
      const isOne = pids.length === 1 && pids[0] === pid
      const isRight = isSteady && !this.isDown(name) ? isOne : pids.length <= 1
      if (!isRight) this.wrong.push(`${name} is ${status} as ${pid ?? '-'}: ${pids.join(' ')}`)
    }
  }
}

function nameOf(pid: number): string | undefined {
  try {
    return /\0(server\d+)\0/u.exec(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))?.[1]
  } catch {
    return undefined // it ended meanwhile
  }
}
