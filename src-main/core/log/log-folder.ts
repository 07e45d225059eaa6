import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { factsOf, namesIn } from '../storage/line-files'

/** What the log files of one server, or of all, may take. */
export type LogLimits = {
  /** For the files of one server together. */
  readonly maxBytes: number
  readonly maxAgeMs: number
}

/** Into how many files the space of a server is parted, so that deleting the oldest loses little. */
const PARTS = 8
/** What one write takes, in characters. */
export const BLOCK = 64 * 1024

/** From how many bytes on a file is full. */
export function partBytesOf({ maxBytes }: LogLimits): number {
  return Math.floor(maxBytes / PARTS)
}

/** The file that is being written; the others have the moment in their name at which they were full. */
export const CURRENT_FILE = 'server.log'
const OWN_FILE = /^server(?:-[\w-]+)?\.log$/u

type LogFileFacts = {
  readonly path: string
  readonly bytes: number
  readonly changedAt: number
}

/** The log files in the folder of a server, oldest first; none where there is no folder. */
export async function logFilesIn(folder: string): Promise<LogFileFacts[]> {
  const files: LogFileFacts[] = []
  for (const name of await namesIn(folder)) {
    const path = join(folder, name)
    const facts = OWN_FILE.test(name) ? await factsOf(path) : undefined
    if (facts?.isFile()) files.push({ path, bytes: facts.size, changedAt: facts.mtimeMs })
  }
  return files.sort((a, b) => a.changedAt - b.changedAt)
}

/** Deletes the files that are too old, then the oldest until there is room for the current file and for the next one. */
export async function pruneLogs(folder: string, limits: LogLimits): Promise<void> {
  const maxBytes = limits.maxBytes - 2 * (partBytesOf(limits) + BLOCK)
  const files = await logFilesIn(folder)
  let bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  for (const file of files) {
    const isOld = Date.now() - file.changedAt > limits.maxAgeMs
    if (!isOld && bytes <= maxBytes) continue
    // Another one may have deleted it meanwhile, which is as good.
    await rm(file.path, { force: true })
    bytes -= file.bytes
  }
}
