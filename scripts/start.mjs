// `npm start`: installs missing packages, builds, and opens the app; if Electron can't open it, the same app opens in the browser.
// Arguments are passed to either.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { desktopFacts, desktopObstacle } from './start/desktop-probe.mjs'
import { build, ensureToolchain, nodeProgram, projectEnvironment, ROOT, say } from './toolchain.mjs'

const FETCH_LIMIT_MS = 600_000
/** An Electron that can't run here exits within this time. */
const EARLY_MS = 10_000
const ELECTRON = join(ROOT, 'node_modules', 'electron')
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

const args = process.argv.slice(2)
/** Only the user may disable the sandbox, because the page shows foreign text. */
const isUnsandboxed = args.includes('--no-sandbox')
let isEnding = false
let running

ensureToolchain()
build()
for (const signal of SIGNALS) {
  process.on(signal, () => {
    isEnding = true
    running?.kill(signal)
  })
}
openDesktop()

function openDesktop() {
  // Before the large runtime is downloaded.
  const obstacle = obstacleOf(undefined)
  if (obstacle) return openBrowser(obstacle)
  const { binary, reason } = electronBinary()
  if (!binary) return openBrowser(reason)
  const late = obstacleOf(binary)
  if (late) return openBrowser(late)
  const began = Date.now()
  open(binary, [ROOT, ...args], (outcome) => {
    const isEarly = Date.now() - began < EARLY_MS
    if (outcome.code === 0 || isEnding || (!outcome.error && !isEarly)) return end(outcome)
    openBrowser(earlyEnd(outcome))
  })
}

function openBrowser(reason) {
  say(`Patchbay opens in the browser, as ${reason}.`)
  const served = args.filter((arg) => arg !== '--no-sandbox')
  open(nodeProgram(), [join(ROOT, 'out', 'main', 'cli.js'), 'serve', ...served], end)
}

function obstacleOf(binary) {
  return desktopObstacle({ ...desktopFacts({ binary }), isUnsandboxed })
}

function earlyEnd({ code, signal, error }) {
  if (error) return `Electron could not be started (${error.code ?? error.message})`
  if (code === 127) return 'Electron lacks a library of this system'
  return `Electron ended at its start with ${signal ?? `code ${code}`}`
}

/** The runtime placed by electron's own installer, downloaded if needed; or why there is none. */
function electronBinary() {
  const installed = installedElectron()
  if (installed) return { binary: installed }
  if (!existsSync(join(ELECTRON, 'install.js'))) return { reason: 'Electron is not installed' }
  say('Fetching the Electron runtime')
  const progress = join(ROOT, 'scripts', 'start', 'download-progress.mjs')
  const { stderr, error } = spawnSync(
    // By its path: without a shell Windows finds no node.cmd.
    nodeProgram(),
    ['--import', progress, join(ELECTRON, 'install.js')],
    {
      cwd: ROOT,
      env: { ...appEnvironment(), ELECTRON_GET_NO_PROGRESS: '1' },
      stdio: ['ignore', 'inherit', 'pipe'],
      encoding: 'utf8',
      timeout: FETCH_LIMIT_MS,
    },
  )
  const binary = installedElectron()
  if (binary) return { binary }
  const said = error?.code === 'ETIMEDOUT' ? 'it took too long' : firstError(stderr)
  return { reason: `the Electron runtime could not be fetched${said ? ` (${said})` : ''}` }
}

function installedElectron() {
  const pathFile = join(ELECTRON, 'path.txt')
  if (!existsSync(pathFile)) return undefined
  const binary = join(ELECTRON, 'dist', readFileSync(pathFile, 'utf8').trim())
  return existsSync(binary) ? binary : undefined
}

/** The message of a program's error. */
function firstError(text = '') {
  const line = text.split('\n').find((one) => /^\w*Error\b/.test(one)) ?? ''
  return line
    .replace(/^\w+(?: \[\w+\])?: /, '')
    .replace(/\.$/, '')
    .slice(0, 200)
}

/** Starts a program that receives signals; calls `ended` with `{ code, signal }` or an `error`. */
function open(command, args, ended) {
  const child = spawn(command, args, { cwd: ROOT, env: appEnvironment(), stdio: 'inherit' })
  running = child
  child.once('error', (error) => ended({ error }))
  child.once('exit', (code, signal) => ended({ code, signal }))
}

function end({ code, error }) {
  if (error) say(`Patchbay could not be started (${error.message}).`)
  process.exit(code ?? 1)
}

/** Editors' terminals, and agents started in them, set variables that turn Electron into Node and load code into each Node. */
function appEnvironment() {
  const {
    ELECTRON_RUN_AS_NODE: _asNode,
    ELECTRON_NO_ATTACH_CONSOLE: _console,
    NODE_OPTIONS: _options,
    VSCODE_INSPECTOR_OPTIONS: _inspector,
    ...env
  } = projectEnvironment()
  // Agent apps start the command line with the Node of `serve`, in any way in.
  return { ...env, PATCHBAY_NODE: nodeProgram() }
}
