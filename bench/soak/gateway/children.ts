import { readFileSync } from 'node:fs'

import { markedProcesses } from '../census'
import type { SeenServer } from './core-protocol'

/** The processes of each server at one moment, by its name; Linux only, elsewhere none. */
export function childrenOf(mark: string): Map<string, number[]> {
  const seen = markedProcesses(mark).map((pid) => ({ pid, name: nameOf(pid) }))
  // One that was there when the last was read was there beside it.
  const there = seen.filter(({ pid, name }) => name !== undefined && nameOf(pid) === name)
  const byName = Map.groupBy(there, ({ name }) => name ?? '')
  return new Map([...byName].map(([name, all]) => [name, all.map(({ pid }) => pid)]))
}

/** Looks at the children of the core over and over. */
export class ChildWatch {
  samples = 0
  /** Servers with more than one process, or with another than the core says. */
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
