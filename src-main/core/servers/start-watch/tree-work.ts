import { readFileSync } from 'node:fs'

import type { ProcessEntry } from '../../process/tree/process-table'
import type { ProcessTree } from '../../process/tree/process-tree'
import { TreeMeter } from '../../process/tree/tree-meter'

/** Of one processor: what idle programs and slow loops never take, and a working one has on a busy computer, too. */
const BUSY_SHARE = 0.1
/** Bytes a second that a program reads and writes, besides what it prints. */
const BUSY_BYTES = 64 * 1024

/** Tells from look to look whether a tree of processes works: by its processor time, and on Linux by what it reads and writes. */
export class TreeWork {
  readonly #meter = new TreeMeter()
  #before: { readonly at: number; readonly bytes: ReadonlyMap<string, number> } | undefined

  constructor(private readonly tree: Pick<ProcessTree, 'look'>) {}

  /** False at the first look. `printedBytes`: what came on its stdout and stderr since the look before. */
  async isBusy(printedBytes: number): Promise<boolean> {
    const members = await this.tree.look()
    const now = performance.now()
    const { cpu } = this.#meter.measure(members, now)
    const isComputing = cpu !== undefined && cpu.cpuMs >= cpu.ofMs * BUSY_SHARE
    return this.#isTransferring(members, now, printedBytes) || isComputing
  }

  #isTransferring(members: readonly ProcessEntry[], now: number, printedBytes: number): boolean {
    const bytes = new Map(
      members.map((entry) => [`${String(entry.pid)} ${entry.startTime}`, bytesOf(entry)]),
    )
    const before = this.#before
    this.#before = { at: now, bytes }
    if (!before) return false
    // A process that is new has read itself: that is no transfer.
    const moved = [...bytes].reduce(
      (sum, [key, count]) => sum + Math.max(0, count - (before.bytes.get(key) ?? count)),
      0,
    )
    // What it prints is written once, and read once where it comes through a pipe of its own.
    return moved - 2 * printedBytes >= ((now - before.at) / 1_000) * BUSY_BYTES
  }
}

/** What a process has read and written so far, files and pipes alike (proc(5)); 0 where that cannot be told. */
function bytesOf({ pid }: ProcessEntry): number {
  if (process.platform !== 'linux') return 0
  try {
    const io = readFileSync(`/proc/${String(pid)}/io`, 'latin1')
    return [...io.matchAll(/^[rw]char: (\d+)$/gmu)].reduce((sum, [, n]) => sum + Number(n), 0)
  } catch {
    return 0 // another account's, or it ended meanwhile
  }
}
