import { LinuxProcesses } from './linux-processes'
import type { ProcessTable } from './process-table'
import { PsProcesses } from './ps-processes'
import { WindowsProcesses } from './windows-processes'

/** The reader for a platform. */
export function openProcessTable(platform: NodeJS.Platform): ProcessTable {
  if (platform === 'linux') return new LinuxProcesses()
  return platform === 'win32' ? new WindowsProcesses() : new PsProcesses()
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
