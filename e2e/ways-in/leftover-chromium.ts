import { readlink, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Removes a folder of Chromium's files. A Chromium that still uses it lost its parent, and is ended first. */
export async function removeChromiumFolder(folder: string): Promise<void> {
  // The lock is a link to HOST-PID.
  const holder = await readlink(join(folder, 'SingletonLock')).catch(() => '')
  const pid = Number(/-(\d+)$/.exec(holder)?.[1])
  if (pid > 0) endProcess(pid)
  // Its child processes write for a moment longer.
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
