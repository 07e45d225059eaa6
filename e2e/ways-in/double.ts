import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import type { Browser, Page } from '@playwright/test'
import { chromium } from '@playwright/test'

import { cleanEnvironment } from '../../src-main/core/launch/environment/clean-environment'
import type { DesktopApp, DesktopLaunch, DesktopRun } from './desktop-app'
import { DEFAULT_OUT_DIR } from './desktop-app'
import { removeChromiumFolder } from './leftover-chromium'
import { LaunchRecord, RECORDER } from './record'
import { runToEnd } from './undriven'

const ROOT = resolve(import.meta.dirname, '../..')
const REGISTER = new URL('../electron-double/register.mjs', import.meta.url).href
const WINDOW_LIMIT_MS = 60_000
const QUIT_LIMIT_MS = 60_000
const PAGE_PAUSE_MS = 25

type FromDouble =
  | { ed: 'window'; port: number }
  | { ed: 'result'; id: number; value?: unknown; error?: string }

/** The main process on the electron double, and its channel. */
class DoubleProcess {
  readonly exit: Promise<number | null>
  readonly #child: ChildProcess
  readonly #port: Promise<number>
  readonly #answers = new Map<number, (answer: FromDouble & { ed: 'result' }) => void>()
  #log = ''
  #lastId = 0

  constructor(child: ChildProcess) {
    this.#child = child
    child.stdout?.on('data', (chunk: Buffer) => (this.#log += chunk.toString()))
    child.stderr?.on('data', (chunk: Buffer) => (this.#log += chunk.toString()))
    this.exit = new Promise((done) => child.once('exit', (code) => done(code)))
    this.#port = new Promise((found) => {
      child.on('message', (message: FromDouble) => {
        if (message.ed === 'window') found(message.port)
        else this.#answers.get(message.id)?.(message)
      })
    })
  }

  get pid(): number {
    return this.#child.pid ?? -1
  }

  log(): string {
    return this.#log
  }

  /** Settles as `work` does, but rejects with the log if the process exits first or after `limitMs`. */
  async within<T>(limitMs: number, what: string, work: Promise<T>): Promise<T> {
    const timer = new AbortController()
    const failed = Promise.race([
      this.exit.then((code) => `the app exited with ${String(code)}`),
      delay(limitMs, `${limitMs} ms passed`, { signal: timer.signal }),
    ]).then((why) => Promise.reject(new Error(`${what}: ${why}.\n${this.#log}`)))
    try {
      return await Promise.race([work, failed])
    } finally {
      failed.catch(() => undefined)
      timer.abort()
    }
  }

  devtoolsPort(): Promise<number> {
    return this.within(WINDOW_LIMIT_MS, 'No window opened', this.#port)
  }

  async evaluate(source: string, arg: unknown): Promise<unknown> {
    const id = ++this.#lastId
    const answered = new Promise<FromDouble & { ed: 'result' }>((done) => {
      this.#answers.set(id, done)
      this.#child.send({ ed: 'eval', id, source, arg })
    })
    const answer = await this.within(WINDOW_LIMIT_MS, 'No answer of the main process', answered)
    if (answer.error !== undefined) throw new Error(answer.error)
    return answer.value
  }

  async exited(limitMs = QUIT_LIMIT_MS): Promise<number | null> {
    const timer = new AbortController()
    const late = delay(limitMs, 'late' as const, { signal: timer.signal }).catch(
      () => 'late' as const,
    )
    const outcome = await Promise.race([this.exit, late])
    timer.abort()
    if (outcome !== 'late') return outcome
    this.kill()
    throw new Error(`The app was still running after ${limitMs} ms.\n${this.#log}`)
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }

  quit(): void {
    const source = '({ app }) => { setImmediate(() => app.quit()) }'
    // A quitting app may be gone already; its exit shows the result.
    if (this.#child.connected) this.#child.send({ ed: 'eval', id: 0, source }, () => undefined)
  }
}

const ON_DOUBLE = ['--import', REGISTER, '--import', RECORDER]

/** Runs the built app on the electron double until it exits. */
export function runDouble(launch: DesktopLaunch): Promise<DesktopRun> {
  const { profileDir, args = [], outDir = DEFAULT_OUT_DIR } = launch
  const app = [join(outDir, 'main/index.js'), `--user-data-dir=${profileDir}`, ...args]
  return runToEnd([process.execPath, ...ON_DOUBLE, ...app], launch)
}

/** Starts the built app on the electron double, with its window open; `env` is added to this process's own. */
export async function launchDouble(launch: DesktopLaunch): Promise<DesktopApp> {
  const { profileDir, env, args = [], outDir = DEFAULT_OUT_DIR } = launch
  const record = new LaunchRecord()
  const chromiumDir = await mkdtemp(join(tmpdir(), 'patchbay-chromium-'))
  const main = new DoubleProcess(
    fork(join(outDir, 'main/index.js'), [`--user-data-dir=${profileDir}`, ...args], {
      cwd: ROOT,
      env: {
        ...cleanEnvironment(process.env, process.platform),
        ...env,
        ...record.env,
        ED_CHROMIUM_DIR: chromiumDir,
      },
      execArgv: ON_DOUBLE,
      serialization: 'advanced',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    }),
  )
  const chromiumGone = main.exit.then(() => removeChromiumFolder(chromiumDir))

  let browser: Browser
  let page: Page
  try {
    const port = await main.devtoolsPort()
    browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`)
    page = await main.within(WINDOW_LIMIT_MS, 'The window shows no page', firstPage(browser))
  } catch (error) {
    main.kill()
    await chromiumGone
    throw error
  }
  const exited = async (limitMs?: number): Promise<number | null> => {
    const code = await main.exited(limitMs)
    await browser.close()
    await chromiumGone
    return code
  }
  return {
    page,
    pid: main.pid,
    evaluate: (async (run: unknown, arg: unknown) =>
      main.evaluate(String(run), arg)) as DesktopApp['evaluate'],
    calls: () => record.calls(),
    log: () => main.log(),
    exited,
    close: async () => {
      main.quit()
      const code = await exited()
      record.remove()
      return code
    },
  }
}

async function firstPage(browser: Browser): Promise<Page> {
  for (let waited = 0; waited < WINDOW_LIMIT_MS; waited += PAGE_PAUSE_MS) {
    const page = browser
      .contexts()
      .flatMap((context) => context.pages())
      .find((candidate) => candidate.url().includes('.ed.invalid/'))
    if (page) return page
    await delay(PAGE_PAUSE_MS)
  }
  throw new Error('Chromium has no page of the app.')
}
