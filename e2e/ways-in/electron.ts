import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { _electron, type ElectronApplication, errors, type Page } from '@playwright/test'

import type { DesktopApp, DesktopLaunch, DesktopRun, ExitStatus } from './desktop-app'
import { DEFAULT_OUT_DIR } from './desktop-app'
import { LaunchRecord, OWN_DIALOGS, RECORDER } from './record'
import { inheritedEnvironment, runToEnd } from './undriven'

const ROOT = resolve(import.meta.dirname, '../..')
const DRIVER_LIMIT_MS = 60_000
const WINDOW_LIMIT_MS = 60_000
const QUIT_LIMIT_MS = 60_000

/** Path of PATCHBAY_ELECTRON or of the installed Electron, or undefined; unlike the package's own lookup it never downloads one. */
export function electronBinary(
  packageDir = join(ROOT, 'node_modules/electron'),
): string | undefined {
  const { PATCHBAY_ELECTRON } = process.env
  if (PATCHBAY_ELECTRON !== undefined) return PATCHBAY_ELECTRON
  const pathFile = join(packageDir, 'path.txt')
  if (!existsSync(pathFile)) return undefined
  const binary = join(packageDir, 'dist', readFileSync(pathFile, 'utf8').trim())
  return existsSync(binary) ? binary : undefined
}

/** The recorder, then the folder with package.json: from a file alone Electron knows neither name nor version of the app. */
function argsOf({ profileDir, args = [], outDir = DEFAULT_OUT_DIR }: DesktopLaunch): string[] {
  return ['-r', RECORDER, dirname(outDir), `--user-data-dir=${profileDir}`, ...args]
}

/** Chromium rejects its sandbox for root, which containers use. */
const canSandbox = (): boolean => process.getuid?.() !== 0

/** Runs the built app in the real Electron at `binary` until it exits. */
export function runElectron(launch: DesktopLaunch, binary: string): Promise<DesktopRun> {
  const { hasSandbox = canSandbox() } = launch
  const sandbox = hasSandbox ? [] : ['--no-sandbox']
  return runToEnd([binary, ...sandbox, ...argsOf(launch)], launch)
}

/** Starts the built app in the real Electron at `binary`, with its window open and its outward calls recorded. */
export async function launchElectron(launch: DesktopLaunch, binary: string): Promise<DesktopApp> {
  const { env, ownDialogs = false, hasSandbox = canSandbox() } = launch
  const record = new LaunchRecord()
  let app: ElectronApplication
  try {
    app = await launchDriven({
      executablePath: binary,
      cwd: ROOT,
      args: argsOf(launch),
      chromiumSandbox: hasSandbox,
      env: { ...inheritedEnvironment(), ...env, ...record.env, ...(ownDialogs && OWN_DIALOGS) },
    })
  } catch (error) {
    throw launchError(record, record.exitCode(), error)
  }
  const child = app.process()
  const exit = new Promise<ExitStatus>((done) => {
    const { exitCode, signalCode } = child
    if (exitCode !== null || signalCode !== null) done(exitCode ?? signalCode)
    else child.once('exit', (code, signal) => done(code ?? signal))
  })
  const exited = async (limitMs = QUIT_LIMIT_MS): Promise<ExitStatus> => {
    const late = delay(limitMs, 'late' as const, { ref: false })
    const outcome = await Promise.race([exit, late])
    if (outcome !== 'late') return outcome
    child.kill('SIGKILL')
    throw new Error(`The app was still running after ${limitMs} ms.\n${record.log()}`)
  }
  const firstPage = async (): Promise<Page> => {
    const ended = exit.then((code) => Promise.reject(launchError(record, code)))
    try {
      return await Promise.race([app.firstWindow({ timeout: WINDOW_LIMIT_MS }), ended])
    } catch (error) {
      ended.catch(() => undefined)
      throw launchError(record, await exited(), error)
    }
  }
  return {
    page: await firstPage(),
    pid: child.pid ?? -1,
    evaluate: (run: never, arg: never) => app.evaluate(run, arg),
    calls: () => record.calls(),
    log: () => record.log(),
    exited,
    close: async () => {
      await app
        .evaluate(({ app: electron, dialog }) => {
          // Nobody can answer a question about unsaved values.
          dialog.showMessageBox = () => Promise.resolve({ response: 0, checkboxChecked: false })
          setImmediate(() => electron.quit())
        })
        // A quitting app may be gone already; its exit shows the result.
        .catch(() => undefined)
      const code = await exited()
      record.remove()
      return code
    },
  }
}

/** Retries once if the driver doesn't reach Electron in time: with the older one, one start in hundreds. */
async function launchDriven(
  options: Parameters<typeof _electron.launch>[0],
): Promise<ElectronApplication> {
  const limited = { ...options, timeout: DRIVER_LIMIT_MS }
  try {
    return await _electron.launch(limited)
  } catch (error) {
    if (!(error instanceof errors.TimeoutError)) throw error
    process.stderr.write(`Once more, as the driver didn’t reach Electron: ${error.message}\n`)
    return _electron.launch(limited)
  }
}

function launchError(record: LaunchRecord, code: ExitStatus | undefined, cause?: unknown): Error {
  const ending = `the app exited with ${String(code ?? null)}`
  return new Error(`No window opened: ${ending}.\n${record.log()}`, { cause })
}
