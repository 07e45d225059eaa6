import type { TreeUse } from '../../../../src-shared/domain/running/metrics'
import type { ProcessEntry } from './process-table'

/** Processor time of a tree since the previous look, and the elapsed time; both in ms. */
export type CpuShare = { readonly cpuMs: number; readonly ofMs: number }

/** Measures a process tree from look to look. */
export class TreeMeter {
  #before: { readonly at: number; readonly members: ReadonlyMap<number, ProcessEntry> } | undefined

  /** `cpu` is absent at the first look. Time that a process used after the last look that saw it is lost. `monotonic` in ms. */
  measure(
    members: readonly ProcessEntry[],
    monotonic: number,
  ): { readonly use: TreeUse; readonly cpu: CpuShare | undefined } {
    const before = this.#before
    this.#before = { at: monotonic, members: new Map(members.map((one) => [one.pid, one])) }
    const rssBytes = members.reduce((sum, one) => sum + one.rssBytes, 0)
    const use = { processes: members.length, rssBytes }
    if (!before || monotonic <= before.at) return { use, cpu: undefined }
    const cpuMs = members.reduce((sum, one) => sum + usedSince(one, before.members), 0)
    const ofMs = monotonic - before.at
    return { use: { ...use, cpuPercent: (cpuMs / ofMs) * 100 }, cpu: { cpuMs, ofMs } }
  }
}

function usedSince(entry: ProcessEntry, before: ReadonlyMap<number, ProcessEntry>): number {
  const earlier = before.get(entry.pid)
  // Another start time means a new process with a recycled pid.
  const was = earlier?.startTime === entry.startTime ? earlier.cpuMs : 0
  return Math.max(0, entry.cpuMs - was)
}
