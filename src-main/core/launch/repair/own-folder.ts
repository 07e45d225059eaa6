import { lstat, readdir, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** The path of a folder right in another one, both without links; undefined where it is a link, no folder or not there. */
export async function folderIn(parent: string, name: string): Promise<string | undefined> {
  try {
    const folder = join(await realpath(parent), name)
    const isOwn = (await lstat(folder)).isDirectory() && (await realpath(folder)) === folder
    return isOwn ? folder : undefined
  } catch {
    return undefined // not there, or not for this account
  }
}

/** The names of the folders in a folder whose name is as it must be; links are none. */
export async function foldersIn(parent: string, name: RegExp): Promise<string[]> {
  const entries = await readdir(parent, { withFileTypes: true }).catch(() => [])
  return entries.filter((one) => one.isDirectory() && name.test(one.name)).map((one) => one.name)
}

/** Removes a folder that `folderIn` has found, with all that is in it; what links in it lead to stays. */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 })
}
