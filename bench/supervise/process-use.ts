import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const MB = 1024

/** Resident memory of one process without its children, in MB; Linux only. */
export function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/mu.exec(status)?.[1]) / MB
}

/** Processor time of one process without its children so far, in ms; Linux only. */
export function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${String(pid)}/stat`, 'latin1')
  // The name in parentheses may contain anything; utime and stime are the 14th and 15th field.
  const [, , , , , , , , , , , user, system] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
  return ((Number(user) + Number(system)) * 1_000) / ticksPerSecond
}
