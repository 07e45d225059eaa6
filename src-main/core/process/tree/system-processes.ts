import { LinuxProcesses } from './linux-processes'
import { PrintedProcesses } from './printed-processes'
import type { ProcessTable } from './process-table'
import { psPrinter } from './ps-processes'
import { windowsPrinter } from './windows-processes'

/** The reader for a platform. */
export function openProcessTable(platform: NodeJS.Platform): ProcessTable {
  if (platform === 'linux') return new LinuxProcesses()
  return new PrintedProcesses(platform === 'win32' ? windowsPrinter : psPrinter)
}

/** This machine's processes: one reader for all, so that stops side by side share their looks. */
export const systemProcesses = openProcessTable(process.platform)

/** The start time of a child that was just spawned; undefined also where it cannot be read now: then the mark alone tells whose a process is. */
export function startTimeOf(pid: number): string | undefined {
  try {
    return systemProcesses.startTimeOf(pid)
  } catch {
    return undefined
  }
}
