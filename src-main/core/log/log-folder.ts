import type { Stats } from 'node:fs'
import { lstat, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** What the log files of one server, or of all, may take. */
export type LogLimits = {
  /** For the files of one server together. */
  readonly maxBytes: number
  readonly maxAgeMs: number
}

/** The file that is being written; the others have the moment in their name at which they were set aside. */
export const CURRENT_FILE = 'server.log'
const OWN_FILE = /^server(?:-[\w-]+)?\.log$/u

type LogFileFacts = {
  readonly path: string
  readonly name: string
  readonly bytes: number
  readonly changedAt: number
}

/** Makes a folder of one's own; throws when a link or something else stands in its place. */
export async function makeOwnFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (!(await lstat(folder)).isDirectory()) {
    throw new Error(`${folder} is a link, where a folder of Patchbay's own belongs`)
  }
}

/** The log files in the folder of a server, oldest first; none where there is no folder. */
export async function logFilesIn(folder: string): Promise<LogFileFacts[]> {
  const files: LogFileFacts[] = []
  for (const name of await namesIn(folder)) {
    const path = join(folder, name)
    const facts = OWN_FILE.test(name) ? await factsOf(path) : undefined
    if (facts?.isFile()) files.push({ path, name, bytes: facts.size, changedAt: facts.mtimeMs })
  }
  return files.sort((a, b) => a.changedAt - b.changedAt)
}

/** Names in a folder; none where there is no folder, or a link in its place. */
export async function namesIn(folder: string): Promise<string[]> {
  if (!(await factsOf(folder))?.isDirectory()) return []
  return readdir(folder)
}

/**
 * Deletes the files that are too old, then the oldest until all fit. With `keepsCurrent` the one that is
 * being written is left out of it.
 */
export async function pruneLogs(
  folder: string,
  limits: LogLimits,
  now: number,
  keepsCurrent: boolean,
): Promise<void> {
  const all = await logFilesIn(folder)
  const files = keepsCurrent ? all.filter(({ name }) => name !== CURRENT_FILE) : all
  let bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  for (const file of files) {
    const isOld = now - file.changedAt > limits.maxAgeMs
    if (!isOld && bytes <= limits.maxBytes) continue
    // Another one may have deleted it meanwhile, which is as good.
    await rm(file.path, { force: true })
    bytes -= file.bytes
  }
}

/** Throws when a link or something else stands where a file of one's own belongs. */
export async function refuseForeign(file: string): Promise<void> {
  const facts = await factsOf(file)
  if (facts && !facts.isFile()) throw new Error(`${file} is no file of Patchbay's own`)
}

async function factsOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
