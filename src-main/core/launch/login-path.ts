import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'

/** A profile may ask the network; then the app must not wait for it. In ms. */
const LIMIT_MS = 5_000
/** In characters; a PATH is far shorter, and a profile may print for ever. */
const LONGEST_OUTPUT = 1_000_000
const DRAIN_MS = 250

export type LoginPathOptions = {
  readonly platform: NodeJS.Platform
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly home: string
  readonly limitMs?: number
}

/**
 * The PATH of the person's login shell: an app that was started from a dock or a menu does not inherit it.
 * Undefined on Windows, and where the shell fails or does not answer within 5 s.
 */
export class LoginPath {
  #newest: Promise<string | undefined> | undefined
  #isAsking = false
  readonly #running = new Set<() => void>()

  constructor(private readonly options: LoginPathOptions) {}

  /** Asks the shell once; later calls share the answer. */
  read(): Promise<string | undefined> {
    if (this.#newest) return this.#newest
    this.#isAsking = true
    this.#newest = this.#ask().finally(() => (this.#isAsking = false))
    return this.#newest
  }

  /** What is known without asking: undefined when nobody has asked. */
  known(): Promise<string | undefined> {
    return this.#newest ?? Promise.resolve(undefined)
  }

  /** Asks again, since something may have been installed meanwhile; a question under way is shared. */
  refresh(): Promise<string | undefined> {
    if (!this.#isAsking) this.#newest = undefined
    return this.read()
  }

  /** Ends a shell that is still asked. */
  [Symbol.dispose](): void {
    for (const end of this.#running) end()
  }

  async #ask(): Promise<string | undefined> {
    const { platform, environment } = this.options
    if (platform === 'win32') return undefined
    const shell = environment.SHELL ?? (platform === 'darwin' ? '/bin/zsh' : '/bin/sh')
    if (!shell.startsWith('/')) return undefined
    try {
      return await askShell(shell, this.options, this.#running)
    } catch {
      return undefined // it cannot even be spawned: the inherited PATH is used
    }
  }
}

/**
 * Runs the shell as a login and interactive one, since people set their PATH in the files of either.
 * It leads a process group of its own, so that a profile that hangs is ended with all that it started.
 */
function askShell(
  shell: string,
  options: LoginPathOptions,
  running: Set<() => void>,
): Promise<string | undefined> {
  const mark = `patchbay-${randomUUID()}`
  const script = `printf '%s\\n' '${mark}'; command printenv PATH; printf '%s\\n' '${mark}'; exit`
  const child = spawn(shell, ['-ilc', script], {
    cwd: options.home,
    env: { ...options.environment, DISABLE_AUTO_UPDATE: 'true', ZSH_TMUX_AUTOSTART: 'false' },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  return new Promise((resolve) => {
    let said = ''
    const end = (): void => {
      endGroup(child.pid)
      resolve(pathIn(said, mark))
    }
    const timer = setTimeout(end, options.limitMs ?? LIMIT_MS)
    running.add(end)
    const settle = (): void => {
      clearTimeout(timer)
      running.delete(end)
      resolve(pathIn(said, mark))
    }
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (said.length > LONGEST_OUTPUT) end()
      // What the profile leaves running may hold the pipe; the answer is complete.
      else if (pathIn(said, mark) !== undefined) resolve(pathIn(said, mark))
    })
    child.once('error', settle) // no such shell: the inherited PATH is used
    // Its last words may still be in the pipe, which others may hold for ever.
    child.once('exit', () => {
      clearTimeout(timer)
      running.delete(end)
      setTimeout(settle, DRAIN_MS).unref()
    })
  })
}

function pathIn(said: string, mark: string): string | undefined {
  const [, answer, rest] = said.split(`${mark}\n`)
  const path = answer?.trim()
  return rest === undefined || path === '' ? undefined : path
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    // Gone, or (macOS, where all that is left are zombies) beyond this account.
    const { code = '' } = error as NodeJS.ErrnoException
    if (!['ESRCH', 'EPERM'].includes(code)) throw error
  }
}
