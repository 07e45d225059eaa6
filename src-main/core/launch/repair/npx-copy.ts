import { createHash } from 'node:crypto'
import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import * as z from 'zod'

import { folderIn, foldersIn } from './own-folder'

/** How npx names its folders: the start of a hash over the packages. */
const NAME = /^[0-9a-f]{16}$/
const MOST_BYTES = 1024 * 1024

const Listed = z.object({ _npx: z.object({ packages: z.array(z.string()) }) })

/** The folder of exactly these packages (sorted) in npm's cache; undefined where npx keeps none. */
export async function npxCopy(
  cache: string,
  packages: readonly string[],
): Promise<string | undefined> {
  const root = await folderIn(cache, '_npx')
  if (root === undefined) return undefined
  const hashed = nameOf(packages)
  for (const name of await foldersIn(root, NAME)) {
    const listed = await packagesOf(join(root, name))
    // Half a download has no list yet, and older npm writes none: then the name tells.
    const isIt = listed === undefined ? name === hashed : isSame(listed, packages)
    if (isIt) return folderIn(root, name)
  }
  return undefined
}

/** As npx makes it: libnpmexec, SHA-512 over the sorted packages, one a line. */
function nameOf(packages: readonly string[]): string {
  const sorted = [...packages].sort((one, other) => one.localeCompare(other, 'en'))
  return createHash('sha512').update(sorted.join('\n')).digest('hex').slice(0, 16)
}

/** What a folder says of itself; undefined where it says nothing that can be read. */
async function packagesOf(folder: string): Promise<string[] | undefined> {
  const file = join(folder, 'package.json')
  try {
    const facts = await lstat(file)
    if (!facts.isFile() || facts.size > MOST_BYTES) return undefined
    const read = Listed.safeParse(JSON.parse(await readFile(file, 'utf8')))
    return read.data?._npx.packages
  } catch {
    return undefined // not there, or cut
  }
}

function isSame(listed: readonly string[], packages: readonly string[]): boolean {
  return listed.toSorted().join('\n') === packages.join('\n')
}
