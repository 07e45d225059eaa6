import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const STATUS = '/proc/self/status'
/** Linux tracks a process's peak resident size, and resets it on request (proc(5)). */
const CLEAR = '/proc/self/clear_refs'
const ROUNDS = 3

/** Additional memory of this process that work left in use, and took at its peak, in MB; no peak if the system doesn't provide it. */
export type MemoryGrowth = { readonly keptMb: number; readonly peakMb: number | undefined }

/** Starts measuring; the returned function ends it. Both collect garbage first. */
export async function measureMemory(): Promise<() => Promise<MemoryGrowth>> {
  const held = await heldBytes()
  const canPeak = existsSync(CLEAR)
  if (canPeak) writeFileSync(CLEAR, '5')
  const resting = process.memoryUsage.rss()
  return async () => {
    const peakMb = canPeak ? inMb(Math.max(0, highestRss() - resting)) : undefined
    return { keptMb: inMb((await heldBytes()) - held), peakMb }
  }
}

async function heldBytes(): Promise<number> {
  for (let round = 0; round < ROUNDS; round += 1) {
    collectGarbage()
    // Buffers are freed in a separate turn.
    await new Promise((resolve) => setImmediate(resolve))
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
}

function highestRss(): number {
  const [, kilobytes] = /VmHWM:\s+(\d+)/u.exec(readFileSync(STATUS, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}

function inMb(bytes: number): number {
  return bytes / (1024 * 1024)
}
