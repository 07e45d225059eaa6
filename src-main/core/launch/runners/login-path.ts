import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'

import {
  type ChildKeeper,
  type ChildNote,
  FORGETFUL_KEEPER,
} from '../../process/spawn/child-keeper'
import { followTree } from '../../process/spawn/follow-tree'
import { ProcessTree } from '../../process/tree/process-tree'
import { START_MARK } from '../../process/tree/start-mark'
import { startTimeOf, systemProcesses } from '../../process/tree/system-processes'
import { cleanEnvironment } from './clean-environment'

/** A profile may ask the network; then the app must not wait for it. In ms. */
const LIMIT_MS = 5_000
/** In characters; a PATH is far shorter, and a profile may print for ever. */
const LONGEST_OUTPUT = 1_000_000
const DRAIN_MS = 250

export type LoginPathOptions = {
  readonly platform: NodeJS.Platform
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** Remembers the shell while it is asked; what its profile leaves must be spared. */
  readonly keeper?: ChildKeeper
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
  const { child, forget } = spawnShell(shell, mark, options)
  const { stdout } = child
  return new Promise((resolve) => {
    let said = ''
    const answer = (): void => {
      // What the profile leaves running may hold the pipe for ever, and print.
      stdout.off('data', hear).destroy()
      resolve(pathIn(said, mark))
    }
    const finish = (): void => {
      clearTimeout(timer)
      running.delete(end)
      forget()
      answer()
    }
    const end = (): void => {
      // Of one that has exited the number may be another group's by now.
      const hasExited = child.exitCode !== null || child.signalCode !== null
      if (!hasExited) endGroup(child.pid)
      finish()
    }
    const hear = (text: string): void => {
      said += text
      if (said.length > LONGEST_OUTPUT) end()
      else if (pathIn(said, mark) !== undefined) answer()
    }
    let timer = setTimeout(end, options.limitMs ?? LIMIT_MS)
    running.add(end)
    stdout.setEncoding('utf8').on('data', hear)
    child.once('error', finish) // no such shell: the inherited PATH is used
    child.once('exit', () => {
      clearTimeout(timer)
      forget()
      // Its last words may still be in the pipe.
      timer = setTimeout(finish, DRAIN_MS).unref()
    })
  })
}

/** `forget` ends the note of the shell: what a profile leaves on purpose, such as a key agent, is spared. */
function spawnShell(
  shell: string,
  mark: string,
  { platform, environment, home, keeper = FORGETFUL_KEEPER }: LoginPathOptions,
): { readonly child: ChildProcessByStdio<null, Readable, null>; readonly forget: () => void } {
  const note = keeper.note({ command: shell })
  const noPrompts = { DISABLE_AUTO_UPDATE: 'true', ZSH_TMUX_AUTOSTART: 'false' }
  const script = `printf '%s\\n' '${mark}'; command printenv PATH; printf '%s\\n' '${mark}'; exit`
  let follower: Disposable | undefined
  const forget = (): void => {
    follower?.[Symbol.dispose]()
    note.settle({ isTreeGone: true, isContainerGone: true })
  }
  try {
    const child = spawn(shell, ['-ilc', script], {
      cwd: home,
      env: { ...cleanEnvironment(environment, platform), ...noPrompts, [START_MARK]: note.mark },
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    })
    follower = noteShell(child, note)
    return { child, forget }
  } catch (error) {
    forget()
    throw error
  }
}

/** At once after the spawn: as long as that turn lasts the pid cannot pass to another process. */
function noteShell(child: ChildProcess, note: ChildNote): Disposable | undefined {
  const { pid } = child
  if (pid === undefined) return undefined // its error follows
  const startTime = startTimeOf(pid)
  note.started(pid, startTime)
  if (systemProcesses.readsMarks) return undefined
  const hasExited = (): boolean => child.exitCode !== null || child.signalCode !== null
  return followTree(new ProcessTree({ pid, startTime, mark: note.mark, hasExited }), note)
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
