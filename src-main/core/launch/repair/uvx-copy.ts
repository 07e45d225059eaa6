import { readdir, realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

import { folderIn, foldersIn } from './own-folder'

const ARCHIVE = /^archive-v\d+$/
const ENVIRONMENTS = /^environments-v\d+$/
const NAME = /^[\w-]{8,64}$/

/** An environment in uv's cache, and the links by which uv finds it. */
export type UvxCopy = { readonly folder: string; readonly links: readonly string[] }

/**
 * The environment that a Python belongs to (by its path, as uvx started it), where it is one of uv's cache; undefined
 * where it is not: an installed tool, a wheel that several environments share, or whatever lies elsewhere.
 */
export async function uvxCopy(cache: string, python: string): Promise<UvxCopy | undefined> {
  try {
    // Not of the Python itself, which is a link to the one of the system.
    const found = await realpath(dirname(dirname(python)))
    const [bucket, name] = [basename(dirname(found)), basename(found)]
    if (!ARCHIVE.test(bucket) || !NAME.test(name)) return undefined
    const archive = await folderIn(cache, bucket)
    const folder = archive && (await folderIn(archive, name))
    if (folder !== found) return undefined
    const links = await linksTo(folder, await realpath(cache))
    return links.length === 0 ? undefined : { folder, links }
  } catch {
    return undefined // not there
  }
}

/** Of the environments of the cache those links that lead to this folder. */
async function linksTo(folder: string, cache: string): Promise<string[]> {
  const links: string[] = []
  for (const bucket of await foldersIn(cache, ENVIRONMENTS)) {
    for (const interpreter of await foldersIn(join(cache, bucket), NAME)) {
      const parent = join(cache, bucket, interpreter)
      for (const entry of await readdir(parent, { withFileTypes: true })) {
        const path = join(parent, entry.name)
        if (entry.isSymbolicLink() && (await leadsTo(path, folder))) links.push(path)
      }
    }
  }
  return links
}

async function leadsTo(link: string, folder: string): Promise<boolean> {
  try {
    return (await realpath(link)) === folder
  } catch {
    return false // it leads nowhere
  }
}
