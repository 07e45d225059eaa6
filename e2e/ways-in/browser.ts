import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'

const ROOT = resolve(import.meta.dirname, '../..')
const OUT_DIR = process.env.PATCHBAY_OUT_DIR ?? join(ROOT, 'out')
const START_LIMIT_MS = 60_000
const QUIT_LIMIT_MS = 60_000

/** A running `patchbay serve`. */
export type ServedApp = {
  readonly pid: number
  /** Opens the app once. */
  readonly link: string
  log(): string
  /** Gets a new link like a user, by running the command again. */
  anotherLink(): Promise<string>
  /** Runs the command again with the browser of `env`; resolves when it has ended. */
  openAgain(env: Readonly<Record<string, string>>): Promise<void>
  /** Ends it with a signal, by default SIGTERM; resolves to its exit code, rejects after 15 s; no effect once it has ended. */
  close(signal?: NodeJS.Signals): Promise<number | null>
}

/** Starts the built `patchbay serve` on a free port with its own profile. */
export async function launchServe(options: {
  readonly profileDir: string
  readonly env?: Readonly<Record<string, string>>
  /** In its own session, like a desktop app. */
  readonly isApart?: boolean
}): Promise<ServedApp> {
  const args = [join(OUT_DIR, 'main/cli.js'), 'serve', '--no-open', '--profile', options.profileDir]
  const env = { ...process.env, ...options.env }
  const run = (): ReturnType<typeof spawn> =>
    spawn(process.execPath, args, {
      ...{ cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] },
      detached: options.isApart ?? false,
    })
  const child = run()
  let log = ''
  const keep = (chunk: Buffer): void => void (log += chunk.toString())
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  const exit = new Promise<number | null>((done) => child.once('exit', done))
  return {
    pid: child.pid ?? -1,
    link: await firstLink(child, () => log),
    log: () => log,
    anotherLink: async () => {
      const second = run()
      const link = await firstLink(second, () => log)
      if (second.exitCode === null) await once(second, 'exit')
      return link
    },
    openAgain: async (more) => {
      const opening = args.filter((arg) => arg !== '--no-open')
      const second = spawn(process.execPath, opening, { cwd: ROOT, env: { ...env, ...more } })
      second.stdout.on('data', keep)
      second.stderr.on('data', keep)
      await within(once(second, 'close'), START_LIMIT_MS, () => `serve didn't end.\n${log}`)
    },
    close: (signal = 'SIGTERM') => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      return within(exit, QUIT_LIMIT_MS, () => {
        child.kill('SIGKILL')
        return `serve was still running after ${String(QUIT_LIMIT_MS)} ms.\n${log}`
      })
    },
  }
}

async function firstLink(child: ReturnType<typeof spawn>, log: () => string): Promise<string> {
  if (!child.stdout) throw new Error('serve has no stdout')
  const lines = createInterface({ input: child.stdout })
  const found = new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => {
      const link = /http:\/\/127\.0\.0\.1:\d+\/#token=\S+/u.exec(line)?.[0]
      if (link !== undefined) resolve(link)
    })
    child.once('exit', (code) => reject(new Error(`serve ended with ${String(code)}.\n${log()}`)))
  })
  return within(found, START_LIMIT_MS, () => `serve printed no link.\n${log()}`)
}

async function within<T>(work: Promise<T>, limitMs: number, why: () => string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(why())), limitMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
