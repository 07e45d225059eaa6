import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { Readable, Writable } from 'node:stream'

import { within } from '../../lifecycle/time-limit'
import { followTree } from '../../process/spawn/child-process'
import {
  type ChildRecorder,
  NO_LEDGER,
  type ProcessLedger,
} from '../../process/spawn/process-ledger'
import { START_MARK } from '../../process/tree/process-table'
import { ProcessTree } from '../../process/tree/process-tree'
import { startTimeOf, systemProcesses } from '../../process/tree/system-processes'
import { cleanEnvironment } from './clean-environment'

/** In characters; an environment is far shorter, and a profile may print endlessly. */
const MAX_OUTPUT_LENGTH = 1_000_000
const DRAIN_MS = 250
/** Keeps profiles from prompting and from opening another terminal. */
const NO_PROMPTS = { DISABLE_AUTO_UPDATE: 'true', ZSH_TMUX_AUTOSTART: 'false' }
/** Variables that a shell sets for itself. */
const OWN = new Set(['_', 'PWD', 'OLDPWD', 'SHLVL', START_MARK, ...Object.keys(NO_PROMPTS)])

/** A shell's variables after its profile. */
type ShellEnvironment = Readonly<Record<string, string>>

/** A way to start a shell: its options, and whether it reads the script from stdin. */
type ShellMode = {
  readonly options: string
  readonly isOnStdin?: true
}

type ShellContext = {
  readonly shell: string
  readonly platform: NodeJS.Platform
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** Records the shell while it runs; processes that its profile leaves behind are spared. */
  readonly processLedger?: ProcessLedger | undefined
}

/** A running request; `answer` is undefined if the shell returns nothing, and never rejects. */
type ShellRequest = Disposable & { readonly answer: Promise<ShellEnvironment | undefined> }

/**
 * Requests a shell's environment, for at most `limitMs` or until disposed. The shell leads its own process group, so that a hanging profile
 * ends with all its children.
 */
function requestVariables(context: ShellContext, mode: ShellMode, limitMs: number): ShellRequest {
  const mark = `patchbay-${randomUUID()}`
  let spawned: SpawnedShell
  try {
    spawned = spawnShell(context, mode, mark)
  } catch {
    // Spawning failed: the inherited environment is used.
    return { answer: Promise.resolve(undefined), [Symbol.dispose]: () => undefined }
  }
  const { child, forget } = spawned
  const { stdout } = child
  const response = Promise.withResolvers<ShellEnvironment | undefined>()
  let output = ''
  let hasResponded = false
  const respond = (): void => {
    // A process that the profile leaves may hold the pipe and print forever.
    stdout.off('data', append).destroy()
    hasResponded = true
    response.resolve(environmentIn(output, mark))
  }
  const finish = (): void => {
    isFinished = true
    clearTimeout(timer)
    forget()
    respond()
  }
  let isFinished = false
  const end = (): void => {
    if (isFinished) return
    // After an exit, the id may belong to another group.
    const hasExited = child.exitCode !== null || child.signalCode !== null
    if (!hasExited) endGroup(child.pid)
    finish()
  }
  const append = (text: string): void => {
    output += text
    if (output.length > MAX_OUTPUT_LENGTH) end()
    else if (environmentIn(output, mark) !== undefined) respond()
  }
  let timer = setTimeout(end, limitMs)
  stdout.setEncoding('utf8').on('data', append)
  child.once('error', finish) // no such shell: the inherited environment is used
  child.once('exit', () => {
    clearTimeout(timer)
    forget()
    // The shell's last output may still be in the pipe.
    timer = setTimeout(finish, DRAIN_MS).unref()
  })
  return { answer: response.promise, [Symbol.dispose]: () => (hasResponded ? undefined : end()) }
}

type SpawnedShell = {
  readonly child: ChildProcessByStdio<Writable | null, Readable, null>
  readonly forget: () => void
}

/** `forget` removes the shell's ledger entry: a process that a profile leaves on purpose, such as a key agent, is spared. */
function spawnShell(context: ShellContext, mode: ShellMode, mark: string): SpawnedShell {
  const { shell, platform, environment, home, processLedger = NO_LEDGER } = context
  const ledgerEntry = processLedger.add({ command: shell })
  const list = '/usr/bin/env -0 2>/dev/null || /usr/bin/env'
  const script = `printf '%s\\n' '${mark}'; ${list}; printf '%s\\n' '${mark}'; exit`
  let follower: Disposable | undefined
  const forget = (): void => {
    follower?.[Symbol.dispose]()
    ledgerEntry.finished({ isTreeGone: true, isContainerGone: true })
  }
  try {
    const shared = {
      cwd: home,
      env: {
        ...cleanEnvironment(environment, platform),
        ...NO_PROMPTS,
        [START_MARK]: ledgerEntry.mark,
      },
      detached: true,
    }
    const child = mode.isOnStdin
      ? spawn(shell, [mode.options], { ...shared, stdio: ['pipe', 'pipe', 'ignore'] })
      : spawn(shell, [mode.options, script], { ...shared, stdio: ['ignore', 'pipe', 'ignore'] })
    // The exit reports a shell that is gone.
    child.stdin?.on('error', () => undefined).end(`${script}\n`)
    follower = recordShell(child, ledgerEntry)
    return { child, forget }
  } catch (error) {
    forget()
    throw error
  }
}

/** Called in the same turn as the spawn: until that turn ends, the pid can't pass to another process. */
function recordShell(child: ChildProcess, ledgerEntry: ChildRecorder): Disposable | undefined {
  const { pid } = child
  if (pid === undefined) return undefined // the error event follows
  const startTime = startTimeOf(pid)
  ledgerEntry.started(pid, startTime)
  if (systemProcesses.readsMarks) return undefined
  const hasExited = (): boolean => child.exitCode !== null || child.signalCode !== null
  return followTree(
    new ProcessTree({ pid, startTime, mark: ledgerEntry.mark, hasExited }),
    ledgerEntry,
  )
}

function environmentIn(output: string, mark: string): ShellEnvironment | undefined {
  const [, listed, rest] = output.split(`${mark}\n`)
  if (listed === undefined || rest === undefined) return undefined
  // Without NULs, a line that names no variable continues the previous value.
  const items = listed.includes('\0') ? listed.split('\0') : listed.split(/\n(?=[A-Za-z_]\w*=)/u)
  const pairs = items.flatMap((item) => {
    const [, name = '', value = ''] = /^([A-Za-z_]\w*)=([\s\S]*)$/u.exec(item) ?? []
    return name === '' || OWN.has(name) ? [] : [[name, value] as const]
  })
  const variables = Object.fromEntries(pairs)
  return variables.PATH === undefined ? undefined : variables
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    // Gone, or inaccessible to this account (macOS, if only zombies are left).
    const { code = '' } = error as NodeJS.ErrnoException
    if (!['ESRCH', 'EPERM'].includes(code)) throw error
  }
}

/** Time that the app waits for a shell, in ms: a profile may use the network. A later answer is used, too. */
const WAIT_MS = 10_000
/** Share of the wait after which a silent shell is also started the next way. */
const NEXT_SHARE = 0.6
/** Time limit for a silent shell, in ms. */
const MAX_MS = 60_000
/** Additional wait for an interactive shell's files, in ms. */
const MORE_MS = 5_000
/** Minimum time between lookups of a variable that the shell doesn't set, in ms. */
const LOOKUP_INTERVAL_MS = 10_000
const NO_SHELL = /\/(?:nologin|false|true)$/u

/**
 * Login and interactive first, since users set variables in the files of either. Then not interactive, because interactive files may need a
 * terminal. Then with the script on stdin, for a profile that hands over to another shell.
 */
const MODES: readonly ShellMode[] = [
  { options: '-ilc' },
  { options: '-lc' },
  { options: '-il', isOnStdin: true },
]
/** For bash, if the profile doesn't read `.bashrc`. */
const INTERACTIVE: ShellMode = { options: '-ic' }

export type LoginShellOptions = Omit<ShellContext, 'shell'> & {
  /** The account's shell, for a service without SHELL. */
  readonly accountShell?: string | undefined
  readonly waitMs?: number
  readonly longestMs?: number
}

/**
 * Reads the variables of the user's login shell: an app started from a dock or a menu doesn't inherit them. Always undefined on Windows.
 */
export class LoginShell implements Disposable {
  readonly #shell: string | undefined
  #variables: ShellEnvironment | undefined
  #request: { readonly answer: Promise<unknown>; readonly until: number } | undefined
  #hasRequested = false
  #lookedUpAt = Number.NEGATIVE_INFINITY
  #requestedAt = Number.NEGATIVE_INFINITY
  readonly #running = new Set<ShellRequest>()
  #isDisposed = false

  constructor(private readonly options: LoginShellOptions) {
    this.#shell = shellOf(options)
  }

  /** Reads the shell's variables once; later calls share the answer. Undefined if none comes in time. */
  read(): Promise<ShellEnvironment | undefined> {
    return this.#hasRequested ? this.known() : this.refresh()
  }

  /** Returns the known variables without a new request, after a running one has answered or timed out. */
  async known(): Promise<ShellEnvironment | undefined> {
    const { answer, until = 0 } = this.#request ?? {}
    const remainingMs = until - performance.now()
    if (answer && remainingMs > 0) await within(remainingMs, answer, () => undefined)
    return this.#variables
  }

  /** Reads the shell again, because something may have been installed meanwhile; joins a running request. */
  refresh(): Promise<ShellEnvironment | undefined> {
    this.#hasRequested = true
    this.#requestedAt = performance.now()
    if (this.#shell !== undefined && !this.#request) {
      const answer = this.#requestAll(this.#shell).finally(() => (this.#request = undefined))
      this.#request = { answer, until: performance.now() + this.#waitMs }
    }
    return this.known()
  }

  /** Adds the variables of an interactive shell that the login shell doesn't set. */
  async more(): Promise<ShellEnvironment | undefined> {
    if (this.#shell !== undefined) {
      const waitMs = Math.min(MORE_MS, this.#waitMs)
      const added = this.#start(this.#shell, INTERACTIVE).answer.then((more) => this.#add(more))
      await within(waitMs, added, () => undefined)
    }
    return this.#variables
  }

  /** Returns the value of a variable; looks an unset one up again at most every 10 s. */
  async valueOf(name: string): Promise<string | undefined> {
    const value = valueIn(await this.read(), name)
    const now = performance.now()
    // A shell that gave no answer wouldn't give one now.
    if (
      value !== undefined ||
      this.#variables === undefined ||
      now - this.#lookedUpAt < LOOKUP_INTERVAL_MS
    )
      return value
    this.#lookedUpAt = now
    const refreshed = now - this.#requestedAt < LOOKUP_INTERVAL_MS ? this.known() : this.refresh()
    return valueIn(await refreshed, name) ?? valueIn(await this.more(), name)
  }

  /** Reason why the variables are unknown after a request, without a trailing period. */
  get problem(): string | undefined {
    if (!this.#hasRequested || this.#variables || this.#shell === undefined) return undefined
    return this.#request
      ? `Your shell (${this.#shell}) didn’t answer within ${String(this.#waitMs / 1_000)} s`
      : `Your shell (${this.#shell}) ended without an answer`
  }

  /** Ends all running shells. */
  [Symbol.dispose](): void {
    this.#isDisposed = true
    for (const request of this.#running) request[Symbol.dispose]()
  }

  get #waitMs(): number {
    return this.options.waitMs ?? WAIT_MS
  }

  /** Tries each way until one is answered; a silent shell keeps running meanwhile. */
  async #requestAll(shell: string): Promise<void> {
    const open: ShellRequest[] = []
    let variables: ShellEnvironment | undefined
    for (const mode of MODES) {
      if (this.#isDisposed) return
      open.push(this.#start(shell, mode))
      variables = await within(this.#waitMs * NEXT_SHARE, firstOf(open), () => undefined)
      if (variables) break
    }
    this.#variables = variables ?? (await firstOf(open)) ?? this.#variables
    for (const request of open) request[Symbol.dispose]()
  }

  #start(shell: string, mode: ShellMode): ShellRequest {
    const { longestMs = MAX_MS } = this.options
    const request = requestVariables({ ...this.options, shell }, mode, longestMs)
    this.#running.add(request)
    void request.answer.then(() => this.#running.delete(request))
    return request
  }

  #add(more: ShellEnvironment | undefined): void {
    if (!more) return
    const PATH = [this.#variables?.PATH, more.PATH].filter(Boolean).join(':')
    this.#variables = { ...more, ...this.#variables, PATH }
  }
}

/** Resolves to the first answer; undefined if all requests end without one. */
function firstOf(requests: readonly ShellRequest[]): Promise<ShellEnvironment | undefined> {
  const responses = requests.map(async (request) => {
    const response = await request.answer
    if (response === undefined) throw new Error('no answer')
    return response
  })
  return Promise.any(responses).catch(() => undefined)
}

function valueIn(variables: ShellEnvironment | undefined, name: string): string | undefined {
  return variables && Object.hasOwn(variables, name) ? variables[name] : undefined
}

function shellOf({ platform, environment, accountShell }: LoginShellOptions): string | undefined {
  if (platform === 'win32') return undefined
  const usual = platform === 'darwin' ? '/bin/zsh' : '/bin/sh'
  const shell = environment.SHELL ?? accountShell ?? usual
  return shell.startsWith('/') && !NO_SHELL.test(shell) ? shell : undefined
}
