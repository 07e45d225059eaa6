import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { _electron, type ElectronApplication, type Page } from '@playwright/test'

import { cleanEnvironment } from '../../src-main/core/launch/environment/clean-environment'
import type { DesktopApp, DesktopLaunch } from './desktop-app'
import { DEFAULT_OUT_DIR } from './desktop-app'
import { LaunchRecord, OWN_DIALOGS, RECORDER } from './record'

const ROOT = resolve(import.meta.dirname, '../..')
const WINDOW_LIMIT_MS = 60_000
const QUIT_LIMIT_MS = 60_000

/** Path of PATCHBAY_ELECTRON or of the installed Electron, or undefined; unlike the package's own look-up it never downloads one. */
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

/** What starts extensions of editors sets these; with them Electron is plain Node, or loads other code. */
function withoutNodeMode(env: Readonly<Record<string, string>>): Record<string, string> {
  const { ELECTRON_RUN_AS_NODE: _mode, NODE_OPTIONS: _options, ...rest } = env
  return rest
}

/** Starts the built app in the real Electron at `binary`, with its window open and its outward calls recorded. */
export async function launchElectron(launch: DesktopLaunch, binary: string): Promise<DesktopApp> {
  const { profileDir, env, args = [], outDir = DEFAULT_OUT_DIR } = launch
  const { ownDialogs = false, hasSandbox = process.getuid?.() !== 0 } = launch
  const record = new LaunchRecord()
  const inherited = withoutNodeMode(cleanEnvironment(process.env, process.platform))
  let app: ElectronApplication
  try {
    app = await _electron.launch({
      executablePath: binary,
      cwd: ROOT,
      // The recorder, then the folder with package.json: with a file alone Electron knows neither name nor version of the app.
      args: ['-r', RECORDER, dirname(outDir), `--user-data-dir=${profileDir}`, ...args],
      // Chromium refuses its sandbox to root, which is what containers run as.
      chromiumSandbox: hasSandbox,
      env: { ...inherited, ...env, ...record.env, ...(ownDialogs && OWN_DIALOGS) },
    })
  } catch (error) {
    throw launchError(record, record.exitCode(), error)
  }
  const child = app.process()
  const exit = new Promise<number | null>((done) => {
    if (child.exitCode !== null || child.signalCode !== null) done(child.exitCode)
    else child.once('exit', (code) => done(code))
  })
  const exited = async (limitMs = QUIT_LIMIT_MS): Promise<number | null> => {
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
    evaluate: (run: never, arg: never) => evaluate(app, run, arg),
    calls: () => record.calls(),
    log: () => record.log(),
    exited,
    close: async () => {
      await app
        .evaluate(({ app: electron, dialog }) => {
          // Nobody is there to answer a question about unsaved values.
          dialog.showMessageBox = () => Promise.resolve({ response: 0, checkboxChecked: false })
          setImmediate(() => electron.quit())
        })
        // One that is quitting by itself may be gone by now; whether it goes is seen from its exit.
        .catch(() => undefined)
      const code = await exited()
      record.remove()
      return code
    },
  }
}

/** Asks once more when the inspector of the main process lost the question: it does now and then while a second start is answered. */
async function evaluate(app: ElectronApplication, run: never, arg: never): Promise<never> {
  try {
    return await app.evaluate(run, arg)
  } catch (error) {
    if (!String(error).includes('Execution context was destroyed')) throw error
    return app.evaluate(run, arg)
  }
}

function launchError(
  record: LaunchRecord,
  code: number | null | undefined,
  cause?: unknown,
): Error {
  const ending = `the app exited with ${String(code ?? null)}`
  return new Error(`No window opened: ${ending}.\n${record.log()}`, { cause })
}
