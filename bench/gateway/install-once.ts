import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const KEPT = resolve('.build', 'bench-peers')
const FETCH_MS = 180_000

/** Folder of an installed npm package, or why it is unavailable. */
export type Installed =
  | { readonly kind: 'there'; readonly folder: string }
  | { readonly kind: 'missing'; readonly reason: string }

/** Installs an npm package in its own folder, once, without running its scripts. */
export async function installOnce(of: {
  readonly name: string
  readonly version: string
}): Promise<Installed> {
  const named = `${of.name}@${of.version}`
  const folder = join(KEPT, named)
  const mark = join(folder, 'complete')
  if (existsSync(mark)) return { kind: 'there', folder }
  try {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{"private":true}')
    const quick = ['--no-audit', '--no-fund', '--ignore-scripts', '--fetch-retries=0']
    const shell = process.platform === 'win32'
    await run('npm', ['install', ...quick, named], { cwd: folder, timeout: FETCH_MS, shell })
    writeFileSync(mark, '')
    return { kind: 'there', folder }
  } catch {
    return { kind: 'missing', reason: `${named} is out of reach` }
  }
}
