import { stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** A folder of the network may be out of reach; in ms. */
const LIMIT_MS = 1_000

/** What the person should know of a folder to run in, as sentences; it is no reason to refuse it. */
export async function folderWarnings(cwd: string | undefined): Promise<string[]> {
  const folder = cwd?.trim() ?? ''
  if (folder === '' || !isAbsolute(folder)) return []
  const look = stat(folder).then(
    (found) =>
      found.isDirectory() ? [] : [`${folder} is no folder. The server cannot run in it.`],
    () => [
      `The folder ${folder} is not there, or not for your account. Create it before the start.`,
    ],
  )
  const timer = new AbortController()
  try {
    const late = delay(LIMIT_MS, [`The folder ${folder} could not be looked at within 1 s.`], {
      signal: timer.signal,
    })
    return await Promise.race([look, late.catch(() => [])])
  } finally {
    timer.abort()
  }
}
