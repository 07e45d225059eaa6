import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { factsOf, namesIn } from '../storage/line-files'

/** Limits of the log files of one server, or of all. */
export type LogLimits = {
  /** Of one server's files together. */
  readonly maxBytes: number
  readonly maxAgeMs: number
}

/** Files that share a server's space, so that deleting the oldest loses little. */
const PARTS = 8
/** Characters per write. */
export const BLOCK = 64 * 1024

/** Size of a full file, in bytes. */
export function partBytesOf({ maxBytes }: LogLimits): number {
  return Math.floor(maxBytes / PARTS)
}

/** The current file; the others have the time of their rotation in their name. */
export const CURRENT_FILE = 'server.log'
const OWN_FILE = /^server(?:-[\w-]+)?\.log$/u

type LogFileFacts = {
  readonly path: string
  readonly bytes: number
  readonly changedAt: number
}

/** A server's log files, oldest first; empty without a folder. */
export async function logFilesIn(folder: string): Promise<LogFileFacts[]> {
  const files: LogFileFacts[] = []
  for (const name of await namesIn(folder)) {
    const path = join(folder, name)
    const facts = OWN_FILE.test(name) ? await factsOf(path) : undefined
    if (facts?.isFile()) files.push({ path, bytes: facts.size, changedAt: facts.mtimeMs })
  }
  return files.sort((a, b) => a.changedAt - b.changedAt)
}

/** Deletes old files, then the oldest until the current and the next file fit. */
export async function pruneLogs(folder: string, limits: LogLimits): Promise<void> {
  const maxBytes = limits.maxBytes - 2 * (partBytesOf(limits) + BLOCK)
  const files = await logFilesIn(folder)
  let bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  for (const file of files) {
    const isOld = Date.now() - file.changedAt > limits.maxAgeMs
    if (!isOld && bytes <= maxBytes) continue
    // Another process may have deleted it already.
    await rm(file.path, { force: true })
    bytes -= file.bytes
  }
}
