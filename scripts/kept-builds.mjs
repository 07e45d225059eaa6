// Builds that are kept, and repeated only if a source has changed.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { fail, ROOT, run } from './toolchain.mjs'

/** Sources of the core and its command line. */
export const CORE_SOURCES = [
  'src-main',
  'src-shared',
  'package.json',
  'package-lock.json',
  'scripts/bundle.mjs',
]
const ALL_SOURCES = [...CORE_SOURCES, 'src-preload', 'src-renderer', 'electron.vite.config.ts']

/** Path of the command line next to the screens that `serve` needs; prints nothing on stdout. */
export function wholeApp() {
  const stamp = join(ROOT, 'out', 'sources.sha256')
  const sources = hashOf(ALL_SOURCES)
  const cli = join(ROOT, 'out', 'main', 'cli.js')
  if (existsSync(cli) && existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return cli
  const code = run('electron-vite', ['build', '--logLevel', 'warn'], {
    stdio: ['ignore', process.stderr.fd, 'inherit'],
  })
  if (code !== 0) fail('The build failed; its own words are above.')
  writeFileSync(stamp, sources)
  return cli
}

/** A hash over all sources of a build, without tests. */
export function hashOf(places) {
  const hash = createHash('sha256')
  for (const place of places.flatMap((name) => filesIn(name))) {
    hash
      .update(`${place}\0`)
      .update(readFileSync(join(ROOT, place)))
      .update('\0')
  }
  return hash.digest('hex')
}

function filesIn(place) {
  if (!statSync(join(ROOT, place)).isDirectory()) return [place]
  return readdirSync(join(ROOT, place), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
    .sort()
}
