import fs from 'node:fs'
import { createRequire } from 'node:module'

/**
 * The file system as it is. Electron's `node:fs` takes a file named `*.asar` for a folder: a bundle with one inside could be
 * neither unpacked nor deleted. Under plain Node this is `node:fs`. Exported for its test: `load` requires a built-in module.
 */
export function loadPlainFs(isElectron: boolean, load: (name: string) => unknown): typeof fs {
  if (!isElectron) return fs
  try {
    return load('original-fs') as typeof fs
  } catch {
    // A stand-in for Electron has no such module, and does not change `node:fs`.
    return fs
  }
}

/** The file system for files that others named. */
export const plainFs = loadPlainFs('electron' in process.versions, createRequire(import.meta.url))
