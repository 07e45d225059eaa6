// `npm run patchbay -- COMMAND`: runs the command line of Patchbay as the sources have it now. What is built
// is kept, and built again only when a source has changed; nothing but the command's own words goes to stdout.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { bundle } from './bundle.mjs'
import { CORE_SOURCES, hashOf, wholeApp } from './kept-builds.mjs'
import { fail, requireNode, ROOT } from './toolchain.mjs'

const KEPT_BUILDS = 3
/** First words of a command line that needs the whole app. */
const WHOLE = ['serve', 'vet', undefined, '--port', '--no-open', '--open', '--profile']

requireNode()
// npm changes to the folder of the project; paths are meant from where the user is.
const from = process.env.npm_lifecycle_event === 'patchbay' ? process.env.INIT_CWD : undefined
const file = WHOLE.includes(process.argv[2]) ? wholeApp() : await commandLine()
if (from) process.chdir(from)
await import(pathToFileURL(file).href)

/** The command line alone: it is there in a second or two, where the whole app takes longer. */
async function commandLine() {
  const builds = join(ROOT, '.build', 'cli')
  const folder = join(builds, hashOf(CORE_SOURCES))
  const cli = join(folder, 'index.mjs')
  if (existsSync(cli)) return cli
  // What serves and checks is a part of the whole app.
  const program = await bundle(join(ROOT, 'src-main', 'cli', 'index.ts'), [
    './serve',
    './vet',
  ]).catch((error) => fail(`The command line could not be built: ${error.message}`))
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
