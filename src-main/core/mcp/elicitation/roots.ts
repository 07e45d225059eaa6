import { posix, win32 } from 'node:path'
import { pathToFileURL } from 'node:url'

import * as z from 'zod'

/** A folder that a server may know (MCP, roots). */
export type Root = { readonly uri: string; readonly name?: string | undefined }

const MAX_ROOTS = 1_000
const MAX_URI_LENGTH = 8_192

const AppRoot = z.object({
  uri: z.string().max(MAX_URI_LENGTH).startsWith('file://'),
  name: z.string().max(MAX_URI_LENGTH).optional().catch(undefined),
})

/** Returns absolute folder paths as roots, named by their last part. */
export function rootsOf(folders: readonly string[], windows: boolean): Root[] {
  const paths = windows ? win32 : posix
  return folders.map((folder) => {
    const path = paths.resolve(folder)
    return { uri: pathToFileURL(path, { windows }).href, name: paths.basename(path) || path }
  })
}

/** Returns the roots in an app's result of `roots/list`; skips invalid ones. */
export function readRoots(result: unknown): Root[] {
  const { data } = z.object({ roots: z.array(z.unknown()) }).safeParse(result)
  return (data?.roots ?? []).slice(0, MAX_ROOTS).flatMap((one) => AppRoot.safeParse(one).data ?? [])
}
