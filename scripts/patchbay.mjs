// `npm run patchbay -- COMMAND`: runs the command line from the current sources. Builds are kept, and repeated only if a source has
// changed; stdout contains only the command's output.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { bundle } from './bundle.mjs'
import { CORE_SOURCES, hashOf, wholeApp } from './kept-builds.mjs'
import { fail, requireNode, ROOT } from './toolchain.mjs'

const KEPT_BUILDS = 3
/** First arguments of commands that need the whole app. */
const WHOLE = ['serve', 'vet', undefined, '--port', '--no-open', '--open', '--profile']

requireNode()
// npm changes to the project's folder; paths are relative to the user's.
const from = process.env.npm_lifecycle_event === 'patchbay' ? process.env.INIT_CWD : undefined
const file = WHOLE.includes(process.argv[2]) ? wholeApp() : await commandLine()
if (from) process.chdir(from)
await import(pathToFileURL(file).href)

/** Builds the command line alone, which takes a second or two; the whole app takes longer. */
async function commandLine() {
  const builds = join(ROOT, '.build', 'cli')
  const folder = join(builds, hashOf(CORE_SOURCES))
  const cli = join(folder, 'index.mjs')
  if (existsSync(cli)) return cli
  // `serve` and `vet` are parts of the whole app.
  const program = await bundle(join(ROOT, 'src-main', 'cli', 'index.ts'), [
    './serve',
    './vet',
  ]).catch((error) => fail(`The command line could not be built: ${error.message}`))
  mkdirSync(builds, { recursive: true })
  try {
    renameSync(dirname(program.file), folder)
  } catch (error) {
    // Another run was faster, with the same build.
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
