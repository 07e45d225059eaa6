import { parse } from 'dotenv'

import { isRemotePath } from '../launch/paths/check-path'
import type { RawPair } from './entry-reading'
import { readAtMost, withOpenFile } from './text/read-at-most'

const MAX_BYTES = 1_000_000
const MAX_VARIABLES = 400

/** The variables of a file, or why there are none. */
export type EnvFile =
  | { readonly kind: 'read'; readonly pairs: readonly RawPair[] }
  | { readonly kind: 'failed'; readonly problem: string }

/** Reads a file of `NAME=value` lines, at most 1 MB; `path` is absolute. Another computer is not asked. Never rejects. */
export async function readEnvFile(
  path: string,
  platform: NodeJS.Platform = process.platform,
): Promise<EnvFile> {
  if (isRemotePath(path, platform))
    return failed(`${path} is on another computer and can’t be read from there.`)
  try {
    const bytes = await withOpenFile(path, async (file, facts) => {
      if (!facts.isFile()) return `${path} isn’t a file.`
      const read = facts.size > MAX_BYTES ? undefined : await readAtMost(file, MAX_BYTES)
      return read ?? `${path} is larger than 1 MB.`
    })
    if (typeof bytes === 'string') return failed(bytes)
    const pairs = Object.entries(parse(bytes.toString('utf8')))
    if (pairs.length > MAX_VARIABLES)
      return failed(`${path} has more than ${String(MAX_VARIABLES)} variables.`)
    return { kind: 'read', pairs: pairs.map(([name, text]) => ({ name, text })) }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'ENOENT') return failed(`${path} was not found.`)
    return failed(`${path} couldn’t be read${code === '' ? '' : ` (${code})`}.`)
  }
}

function failed(problem: string): EnvFile {
  return { kind: 'failed', problem }
}
