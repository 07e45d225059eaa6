import { existsSync, statSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { relative, resolve } from 'node:path'

import type { Package } from '../../../src-shared/domain/server-json/server-json'
import { isInside } from './bundle-command'
import type { BundleManifest } from './manifest/manifest'

/** Whether there is a file of this path. */
export function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile()
}

/** Files without which the server cannot start. */
export function requiredFiles(
  { server }: BundleManifest,
  { identifier, isUvProject }: Package,
  folder: string,
): string[] {
  const place = { folder, home: '', platform: process.platform }
  const files = [
    ...(server.entry_point === undefined ? [] : [resolve(folder, server.entry_point)]),
    ...(isUvProject === true ? [resolve(folder, 'pyproject.toml')] : []),
    identifier,
  ].filter((file) => isInside(file, place) && isFile(file))
  return ['manifest.json', ...new Set(files.map((file) => relative(folder, file)))]
}

/** Archives made on Windows do not say which file is a program. */
export async function makeExecutable(
  { server }: BundleManifest,
  { identifier }: Package,
  folder: string,
): Promise<void> {
  const place = { folder, home: '', platform: process.platform }
  if (server.type === 'binary' && isInside(identifier, place)) await chmod(identifier, 0o700)
}
