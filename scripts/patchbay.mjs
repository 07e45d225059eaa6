// `npm run patchbay -- COMMAND`: runs the command line of Patchbay as the sources have it now. What is built
// is kept, and built again only when a source has changed; nothing but the command's own words goes to stdout.
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { bundle } from './bundle.mjs'
import { fail, requireNode, ROOT, run } from './toolchain.mjs'

const SHARED = ['src-main', 'src-shared', 'package.json', 'package-lock.json', 'scripts/bundle.mjs']
const WHOLE = [...SHARED, 'src-preload', 'src-renderer', 'electron.vite.config.ts']
const KEPT_BUILDS = 3

requireNode()
// npm changes to the folder of the project; paths are meant from where the person is.
const from = process.env.npm_lifecycle_event === 'patchbay' ? process.env.INIT_CWD : undefined
const file = process.argv[2] === 'serve' ? wholeApp() : await commandLine()
if (from) process.chdir(from)
await import(pathToFileURL(file).href)

/** The build with the screens, which `serve` hands to the browser. */
function wholeApp() {
  const stamp = join(ROOT, 'out', 'sources.sha256')
  const sources = hashOf(WHOLE)
  const cli = join(ROOT, 'out', 'main', 'cli.js')
  if (existsSync(cli) && existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return cli
  const code = run('electron-vite', ['build', '--logLevel', 'warn'], {
    stdio: ['ignore', process.stderr.fd, 'inherit'],
  })
  if (code !== 0) fail('The build failed; its own words are above.')
  writeFileSync(stamp, sources)
  return cli
}

/** The command line alone: it is there in a second or two, where the whole app takes longer. */
async function commandLine() {
  const builds = join(ROOT, '.build', 'cli')
  const folder = join(builds, hashOf(SHARED))
  const cli = join(folder, 'index.mjs')
  if (existsSync(cli)) return cli
  const program = await bundle(join(ROOT, 'src-main', 'cli', 'index.ts')).catch((error) =>
    fail(`The command line could not be built: ${error.message}`),
  )
  mkdirSync(builds, { recursive: true })
  try {
    renameSync(dirname(program.file), folder)
  } catch (error) {
    // Another run was quicker; its build is the same.
    if (!existsSync(cli)) throw error
    program.remove()
  }
  dropOldBuilds(builds)
  return cli
}

function dropOldBuilds(builds) {
  const byAge = readdirSync(builds)
    .map((name) => ({ folder: join(builds, name), at: statSync(join(builds, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at)
  for (const { folder } of byAge.slice(KEPT_BUILDS))
    rmSync(folder, { recursive: true, force: true })
}

/** A hash over all that a build is made of; tests are no part of it. */
function hashOf(places) {
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
