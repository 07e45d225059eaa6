import { posix, win32 } from 'node:path'
import { pathToFileURL } from 'node:url'

/** A folder as a server is told it (MCP, roots). */
export type Root = { readonly uri: string; readonly name: string }

/** Absolute paths of folders as roots, named by their last part; `windows`: how their paths are written. */
export function rootList(folders: readonly string[], windows: boolean): Root[] {
  const paths = windows ? win32 : posix
  return folders.map((folder) => {
    const path = paths.resolve(folder)
    return { uri: pathToFileURL(path, { windows }).href, name: paths.basename(path) || path }
  })
}
