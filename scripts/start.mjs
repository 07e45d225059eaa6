// `npm start`: installs what is missing, builds, and opens the app; arguments go to `patchbay serve`
// where the app opens in the browser.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { build, ensureToolchain, projectEnvironment, ROOT, say } from './toolchain.mjs'

const FETCH_LIMIT_MS = 180_000
const ELECTRON = join(ROOT, 'node_modules', 'electron')

ensureToolchain()
build()
const electron = electronBinary() ?? fetchElectron()
if (electron) {
  open(electron, [ROOT])
} else {
  say('The Electron runtime cannot be had here, so Patchbay opens in the browser instead.')
  open('node', [join(ROOT, 'out', 'main', 'cli.js'), 'serve', ...process.argv.slice(2)])
}

/** Path of the runtime that electron's own installer has put in place, if it has. */
function electronBinary() {
  const pathFile = join(ELECTRON, 'path.txt')
  if (!existsSync(pathFile)) return undefined
  const binary = join(ELECTRON, 'dist', readFileSync(pathFile, 'utf8').trim())
  return existsSync(binary) ? binary : undefined
}

function fetchElectron() {
  if (!existsSync(join(ELECTRON, 'install.js'))) return undefined
  say('Fetching the Electron runtime')
  spawnSync('node', [join(ELECTRON, 'install.js')], {
    env: projectEnvironment(),
    stdio: 'ignore',
    timeout: FETCH_LIMIT_MS,
  })
  return electronBinary()
}

/** Hands over: signals reach the app, and its exit code becomes ours. */
function open(command, args) {
  const child = spawn(command, args, { cwd: ROOT, env: projectEnvironment(), stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code) => process.exit(code ?? 1))
}
