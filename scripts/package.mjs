// `npm run package [-- TARGET …]`: builds the packages that this system can build, into dist/. `-- --list` names all targets and why this
// system can't build one.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

import { builderConfig } from './package/builder-config.mjs'
import { writeNotices } from './package/notices.mjs'
import { obstacleOf, reaches, TARGETS, thisSystem, toolVariables } from './package/targets.mjs'
import { build, fail, requireNode, ROOT, say } from './toolchain.mjs'

const USAGE = `Usage: npm run package [-- [--list] [--electron-dist FOLDER] [--output FOLDER] [--no-build] [--quick] TARGET …]
Targets: ${Object.keys(TARGETS).join(', ')}`
/** Downloads of Electron and electron-builder's tools. */
const DOWNLOADS = 'https://github.com/'

requireNode()
const { values, positionals } = readArguments()
const electronDist = values['electron-dist'] && resolve(values['electron-dist'])
const system = thisSystem({
  canDownload: reaches(process.env.ELECTRON_MIRROR ?? DOWNLOADS),
  hasRuntime: existsSync(electronDist ?? join(ROOT, 'node_modules', 'electron', 'dist')),
})
if (values.list) list()
else await packageAll()

function list() {
  for (const name of Object.keys(TARGETS))
    say(`${name.padEnd(10)}${obstacleOf(name, system) ?? 'can be built here'}`)
}

async function packageAll() {
  const names = positionals.length > 0 ? positionals : possible()
  for (const name of names) {
    const obstacle = obstacleOf(name, system)
    if (obstacle !== undefined) fail(`${name} can't be built here: ${obstacle}.`)
  }
  if (names.length === 0) fail('No package can be built here; --list says why.')
  Object.assign(process.env, toolVariables(names, system))
  if (!values['no-build']) build()
  say(`Packaging ${names.join(', ')}`)
  writeNotices()
  const { build: buildPackages, Platform, Arch } = await import('electron-builder')
  const config = builderConfig({
    electronDist,
    ...(values.output && { output: resolve(values.output) }),
    ...(values.quick && { compression: 'store' }),
  })
  const arches = electronDist ? [Arch[process.arch]] : []
  await buildPackages({
    projectDir: ROOT,
    targets: Platform.current().createTarget(names, ...arches),
    publish: 'never',
    config,
  })
}

/** Default targets: all but the folder, which is part of the others. */
function possible() {
  return Object.keys(TARGETS).filter(
    (name) => name !== 'dir' && obstacleOf(name, system) === undefined,
  )
}

function readArguments() {
  let parsed
  try {
    parsed = parseArgs({
      allowPositionals: true,
      options: {
        list: { type: 'boolean' },
        'electron-dist': { type: 'string' },
        output: { type: 'string' },
        'no-build': { type: 'boolean' },
        // Large packages, for testing.
        quick: { type: 'boolean' },
      },
    })
  } catch (error) {
    return fail(`${error.message}\n${USAGE}`)
  }
  const unknown = parsed.positionals.filter((name) => !Object.hasOwn(TARGETS, name))
  if (unknown.length > 0) return fail(`There is no target "${unknown.join('", "')}".\n${USAGE}`)
  return parsed
}
