import fs from 'node:fs'
import { createRequire } from 'node:module'

/**
 * The original file system. Electron's `node:fs` treats a file named `*.asar` as a folder, so a bundle with one could be neither unpacked
 * nor deleted. Under plain Node this is `node:fs`. Exported for its test: `load` requires a built-in module.
 */
export function loadPlainFs(isElectron: boolean, load: (name: string) => unknown): typeof fs {
  if (!isElectron) return fs
  try {
    return load('original-fs') as typeof fs
  } catch {
    // A stand-in for Electron has no such module, and doesn't change `node:fs`.
    return fs
  }
}

/** The file system for files with foreign names. */
export const plainFs = loadPlainFs('electron' in process.versions, createRequire(import.meta.url))
