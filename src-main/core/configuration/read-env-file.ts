import { readFile, stat } from 'node:fs/promises'

import { parse } from 'dotenv'

import type { RawPair } from './read-entry'

const MAX_BYTES = 1_000_000
const MAX_VARIABLES = 400

/** The variables of a file, or why there are none. */
export type EnvFile =
  | { readonly kind: 'read'; readonly pairs: readonly RawPair[] }
  | { readonly kind: 'failed'; readonly problem: string }

/** Reads a file of `NAME=value` lines, at most 1 MB; `path` is absolute. Never rejects. */
export async function readEnvFile(path: string): Promise<EnvFile> {
  try {
    const found = await stat(path)
    if (!found.isFile()) return failed(`${path} is no file.`)
    if (found.size > MAX_BYTES) return failed(`${path} is larger than 1 MB.`)
    const pairs = Object.entries(parse(await readFile(path, 'utf8')))
    if (pairs.length > MAX_VARIABLES)
      return failed(`${path} has more than ${String(MAX_VARIABLES)} variables.`)
    return { kind: 'read', pairs: pairs.map(([name, text]) => ({ name, text })) }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'ENOENT') return failed(`${path} is not there.`)
    return failed(`${path} could not be read${code === '' ? '' : ` (${code})`}.`)
  }
}

function failed(problem: string): EnvFile {
  return { kind: 'failed', problem }
}
