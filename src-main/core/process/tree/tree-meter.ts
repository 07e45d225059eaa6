import type { TreeUse } from '../../../../src-shared/domain/running/metrics'
import type { ProcessEntry } from './process-table'

/** What a tree used since the look before: processor time in ms, over how many ms. */
export type CpuShare = { readonly cpuMs: number; readonly ofMs: number }

/** Tells from look to look what a tree of processes takes. */
export class TreeMeter {
  #before: { readonly at: number; readonly members: ReadonlyMap<number, ProcessEntry> } | undefined

  /**
   * `cpu` is missing at the first look, as nothing is known of the time before. What a process used after
   * the last look that saw it is lost. `monotonic` in ms.
   */
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
  // Another start time: a new process under an old number.
  const was = earlier?.startTime === entry.startTime ? earlier.cpuMs : 0
  return Math.max(0, entry.cpuMs - was)
}
