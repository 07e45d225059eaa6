import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { _electron } from '@playwright/test'

import { cleanEnvironment } from '../../src-main/core/launch/environment/clean-environment'
import type { DesktopApp, DesktopLaunch, RecordedCall } from './desktop-app'
import { DEFAULT_OUT_DIR } from './desktop-app'

const ROOT = resolve(import.meta.dirname, '../..')
const QUIT_LIMIT_MS = 60_000

/** Path of the installed Electron, or undefined; unlike the package's own look-up it never downloads one. */
export function electronBinary(
  packageDir = join(ROOT, 'node_modules/electron'),
): string | undefined {
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
  const app = await _electron.launch({
    executablePath: binary,
    cwd: ROOT,
    // Chromium refuses its sandbox to root, which is what containers run as.
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      // The folder with package.json: with a file alone Electron knows neither name nor version of the app.
      dirname(outDir),
      `--user-data-dir=${profileDir}`,
      ...args,
    ],
    env: { ...withoutNodeMode(cleanEnvironment(process.env, process.platform)), ...env },
  })
  await app.evaluate(({ shell }) => {
    const recorded: RecordedCall[] = []
    Object.assign(globalThis, { recordedCalls: recorded })
    shell.openExternal = (...args) => {
      recorded.push({ api: 'shell.openExternal', args })
      return Promise.resolve()
    }
    // On Linux a link goes past Electron, which hands on its own variables.
    const processes = process.getBuiltinModule('node:child_process')
    const spawn = processes.spawn as (...args: unknown[]) => unknown
    const spawnOrRecord = (command: string, args: string[], ...rest: unknown[]): unknown => {
      if (command !== 'xdg-open') return spawn(command, args, ...rest)
      recorded.push({ api: 'shell.openExternal', args })
      return spawn('true', [], ...rest)
    }
    Object.assign(processes, { spawn: spawnOrRecord })
    process.getBuiltinModule('node:module').syncBuiltinESMExports()
  })
  const child = app.process()
  let log = ''
  child.stdout?.on('data', (chunk: Buffer) => (log += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()))
  const exit = new Promise<number | null>((done) => child.once('exit', (code) => done(code)))
  const exited = async (limitMs = QUIT_LIMIT_MS): Promise<number | null> => {
    const late = delay(limitMs, 'late' as const, { ref: false })
    const outcome = await Promise.race([exit, late])
    if (outcome !== 'late') return outcome
    child.kill('SIGKILL')
    throw new Error(`The app was still running after ${limitMs} ms.\n${log}`)
  }
  return {
    page: await app.firstWindow(),
    pid: child.pid ?? -1,
    evaluate: (run: never, arg: never) => app.evaluate(run, arg),
    calls: () =>
      app.evaluate(
        () => (globalThis as unknown as { recordedCalls: RecordedCall[] }).recordedCalls,
      ),
    log: () => log,
    exited,
    close: async () => {
      await app.evaluate(({ app: electron, dialog }) => {
        // Nobody is there to answer a question about unsaved values.
        dialog.showMessageBox = () => Promise.resolve({ response: 0, checkboxChecked: false })
        setImmediate(() => electron.quit())
      })
      return exited()
    },
  }
}
