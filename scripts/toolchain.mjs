// Prerequisites of all commands: locked packages, and Node 24. Plain JavaScript for older Nodes too, because it finds the right one.
import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'

export const ROOT = resolve(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..')
const BIN = join(ROOT, 'node_modules', '.bin')
const NODE_MAJOR = 24

/** Runs a program of the project with the locked Node first on the PATH; returns its exit code. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, {
    cwd: ROOT,
    stdio: 'inherit',
    shell: process.platform === 'win32',
    ...options,
    env: { ...projectEnvironment(), ...options.env },
  })
  if (result.error) throw result.error
  return result.status ?? 1
}

/** This environment with the project's programs, including its Node, before all others. */
export function projectEnvironment() {
  const path = process.env.PATH ?? process.env.Path ?? ''
  return { ...process.env, PATH: `${BIN}${delimiter}${path}` }
}

/** Installs the locked packages if needed, makes sure that Node 24 runs everything else, and returns its version. */
export function ensureToolchain() {
  if (!isInstalled()) {
    say('Installing packages (npm ci)')
    // An older npm would warn at length about its own Node, which isn't used.
    if (run('npm', ['ci', '--loglevel=error']) !== 0)
      fail('npm ci failed; its own words are above.')
  }
  // The binary comes from an install script, which some npm settings disable.
  if (majorOf(nodeVersion()) !== NODE_MAJOR && existsSync(join(ROOT, 'node_modules', 'node'))) {
    run('npm', ['rebuild', 'node'], { stdio: 'ignore' })
  }
  const version = nodeVersion()
  if (majorOf(version) !== NODE_MAJOR) {
    fail(
      `Patchbay needs Node ${NODE_MAJOR}, and this is Node ${majorOf(version)}. Install Node ${NODE_MAJOR}, or run "npm rebuild node".`,
    )
  }
  return version
}

/** Exits with a message unless this process runs in the project's Node. */
export function requireNode() {
  const major = Number(process.versions.node.split('.')[0])
  if (major !== NODE_MAJOR) fail(`Patchbay needs Node ${NODE_MAJOR}, and this is Node ${major}.`)
}

/** Builds main, preload and renderer into out/. */
export function build() {
  say('Building')
  const quiet = ['build', '--logLevel', 'warn']
  if (run('electron-vite', quiet) !== 0) fail('The build failed; its own words are above.')
}

export function say(line) {
  process.stdout.write(`${line}\n`)
}

export function fail(line) {
  process.stderr.write(`patchbay: ${line}\n`)
  process.exit(1)
}

/** npm writes its hidden lockfile last, so an interrupted install has none. */
function isInstalled() {
  const installed = join(ROOT, 'node_modules', '.package-lock.json')
  if (!existsSync(installed)) return false
  return statSync(installed).mtimeMs >= statSync(join(ROOT, 'package-lock.json')).mtimeMs
}

function nodeVersion() {
  return nodePrints('process.version')
}

/** Absolute path of the Node that runs the project's programs. */
export function nodeProgram() {
  return nodePrints('process.execPath')
}

function nodePrints(expression) {
  const { stdout } = spawnSync('node', ['-p', expression], {
    encoding: 'utf8',
    env: projectEnvironment(),
    shell: process.platform === 'win32',
  })
  return stdout?.trim() ?? ''
}

function majorOf(version) {
  return Number(/^v(\d+)/.exec(version)?.[1] ?? 0)
}
