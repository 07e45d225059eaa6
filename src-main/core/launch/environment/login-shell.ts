import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { Readable, Writable } from 'node:stream'

import { within } from '../../lifecycle/time-limit'
import {
  type ChildKeeper,
  type ChildNote,
  FORGETFUL_KEEPER,
} from '../../process/spawn/child-keeper'
import { followTree } from '../../process/spawn/child-process'
import { START_MARK } from '../../process/tree/process-table'
import { ProcessTree } from '../../process/tree/process-tree'
import { startTimeOf, systemProcesses } from '../../process/tree/system-processes'
import { cleanEnvironment } from './clean-environment'

/** In characters; an environment is far shorter, and a profile may print endlessly. */
const LONGEST_OUTPUT = 1_000_000
const DRAIN_MS = 250
/** Keeps profiles from prompting and from opening another terminal. */
const NO_PROMPTS = { DISABLE_AUTO_UPDATE: 'true', ZSH_TMUX_AUTOSTART: 'false' }
/** Variables that a shell sets for itself. */
const OWN = new Set(['_', 'PWD', 'OLDPWD', 'SHLVL', START_MARK, ...Object.keys(NO_PROMPTS)])

/** A shell's variables after its profile. */
type ShellEnvironment = Readonly<Record<string, string>>

/** A way to start a shell: its options, and whether it reads the script from stdin. */
type ShellWay = {
  readonly options: string
  readonly isOnStdin?: true
}

type ShellPlace = {
  readonly shell: string
  readonly platform: NodeJS.Platform
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** Records the shell while it runs; processes that its profile leaves behind are spared. */
  readonly keeper?: ChildKeeper | undefined
}

/** A running request; `answer` is undefined if the shell returns nothing, and never rejects. */
type ShellQuestion = Disposable & { readonly answer: Promise<ShellEnvironment | undefined> }

/**
 * Requests a shell's environment, for at most `limitMs` or until disposed. The shell leads its own process group, so that a hanging profile
 * ends with all its children.
 */
function askShell(place: ShellPlace, way: ShellWay, limitMs: number): ShellQuestion {
  const mark = `patchbay-${randomUUID()}`
  let spawned: SpawnedShell
  try {
    spawned = spawnShell(place, way, mark)
  } catch {
    // Spawning failed: the inherited environment is used.
    return { answer: Promise.resolve(undefined), [Symbol.dispose]: () => undefined }
  }
  const { child, forget } = spawned
  const { stdout } = child
  const answered = Promise.withResolvers<ShellEnvironment | undefined>()
  let output = ''
  let hasAnswered = false
  const answer = (): void => {
    // A process that the profile leaves may hold the pipe and print forever.
    stdout.off('data', hear).destroy()
    hasAnswered = true
    answered.resolve(environmentIn(output, mark))
  }
  const finish = (): void => {
    isOver = true
    clearTimeout(timer)
    forget()
    answer()
  }
  let isOver = false
  const end = (): void => {
    if (isOver) return
    // After an exit, the id may belong to another group.
    const hasExited = child.exitCode !== null || child.signalCode !== null
    if (!hasExited) endGroup(child.pid)
    finish()
  }
  const hear = (text: string): void => {
    output += text
    if (output.length > LONGEST_OUTPUT) end()
    else if (environmentIn(output, mark) !== undefined) answer()
  }
  let timer = setTimeout(end, limitMs)
  stdout.setEncoding('utf8').on('data', hear)
  child.once('error', finish) // no such shell: the inherited environment is used
  child.once('exit', () => {
    clearTimeout(timer)
    forget()
    // The shell's last output may still be in the pipe.
    timer = setTimeout(finish, DRAIN_MS).unref()
  })
  return { answer: answered.promise, [Symbol.dispose]: () => (hasAnswered ? undefined : end()) }
}

type SpawnedShell = {
  readonly child: ChildProcessByStdio<Writable | null, Readable, null>
  readonly forget: () => void
}

/** `forget` removes the shell's ledger entry: a process that a profile leaves on purpose, such as a key agent, is spared. */
function spawnShell(place: ShellPlace, way: ShellWay, mark: string): SpawnedShell {
  const { shell, platform, environment, home, keeper = FORGETFUL_KEEPER } = place
  const note = keeper.note({ command: shell })
  const list = '/usr/bin/env -0 2>/dev/null || /usr/bin/env'
  const script = `printf '%s\\n' '${mark}'; ${list}; printf '%s\\n' '${mark}'; exit`
  let follower: Disposable | undefined
  const forget = (): void => {
    follower?.[Symbol.dispose]()
    note.settle({ isTreeGone: true, isContainerGone: true })
  }
  try {
    const shared = {
      cwd: home,
      env: { ...cleanEnvironment(environment, platform), ...NO_PROMPTS, [START_MARK]: note.mark },
      detached: true,
    }
    const child = way.isOnStdin
      ? spawn(shell, [way.options], { ...shared, stdio: ['pipe', 'pipe', 'ignore'] })
      : spawn(shell, [way.options, script], { ...shared, stdio: ['ignore', 'pipe', 'ignore'] })
    // The exit reports a shell that is gone.
    child.stdin?.on('error', () => undefined).end(`${script}\n`)
    follower = noteShell(child, note)
    return { child, forget }
  } catch (error) {
    forget()
    throw error
  }
}

/** Called in the same turn as the spawn: until that turn ends, the pid can't pass to another process. */
function noteShell(child: ChildProcess, note: ChildNote): Disposable | undefined {
  const { pid } = child
  if (pid === undefined) return undefined // the error event follows
  const startTime = startTimeOf(pid)
  note.started(pid, startTime)
  if (systemProcesses.readsMarks) return undefined
  const hasExited = (): boolean => child.exitCode !== null || child.signalCode !== null
  return followTree(new ProcessTree({ pid, startTime, mark: note.mark, hasExited }), note)
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
const LONGEST_MS = 60_000
/** Additional wait for an interactive shell's files, in ms. */
const MORE_MS = 5_000
/** Minimum time between lookups of a variable that the shell doesn't set, in ms. */
const AGAIN_MS = 10_000
const NO_SHELL = /\/(?:nologin|false|true)$/u

/**
 * Login and interactive first, since users set variables in the files of either. Then not interactive, because interactive files may need a
 * terminal. Then with the script on stdin, for a profile that hands over to another shell.
 */
const WAYS: readonly ShellWay[] = [
  { options: '-ilc' },
  { options: '-lc' },
  { options: '-il', isOnStdin: true },
]
/** For bash, if the profile doesn't read `.bashrc`. */
const INTERACTIVE: ShellWay = { options: '-ic' }

export type LoginShellOptions = Omit<ShellPlace, 'shell'> & {
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
  #answer: ShellEnvironment | undefined
  #asking: { readonly answer: Promise<unknown>; readonly until: number } | undefined
  #hasAsked = false
  #lookedAt = Number.NEGATIVE_INFINITY
  #askedAt = Number.NEGATIVE_INFINITY
  readonly #running = new Set<ShellQuestion>()
  #isOver = false

  constructor(private readonly options: LoginShellOptions) {
    this.#shell = shellOf(options)
  }

  /** Reads the shell's variables once; later calls share the answer. Undefined if none comes in time. */
  read(): Promise<ShellEnvironment | undefined> {
    return this.#hasAsked ? this.known() : this.refresh()
  }

  /** Returns the known variables without a new request, after a running one has answered or timed out. */
  async known(): Promise<ShellEnvironment | undefined> {
    const { answer, until = 0 } = this.#asking ?? {}
    const leftMs = until - performance.now()
    if (answer && leftMs > 0) await within(leftMs, answer, () => undefined)
    return this.#answer
  }

  /** Reads the shell again, because something may have been installed meanwhile; joins a running request. */
  refresh(): Promise<ShellEnvironment | undefined> {
    this.#hasAsked = true
    this.#askedAt = performance.now()
    if (this.#shell !== undefined && !this.#asking) {
      const answer = this.#askAll(this.#shell).finally(() => (this.#asking = undefined))
      this.#asking = { answer, until: performance.now() + this.#waitMs }
    }
    return this.known()
  }

  /** Adds the variables of an interactive shell that the login shell doesn't set. */
  async more(): Promise<ShellEnvironment | undefined> {
    if (this.#shell !== undefined) {
      const waitMs = Math.min(MORE_MS, this.#waitMs)
      const added = this.#ask(this.#shell, INTERACTIVE).answer.then((more) => this.#add(more))
      await within(waitMs, added, () => undefined)
    }
    return this.#answer
  }

  /** Returns the value of a variable; looks an unset one up again at most every 10 s. */
  async valueOf(name: string): Promise<string | undefined> {
    const known = own(await this.read(), name)
    const now = performance.now()
    // A shell that gave no answer wouldn't give one now.
    if (known !== undefined || this.#answer === undefined || now - this.#lookedAt < AGAIN_MS)
      return known
    this.#lookedAt = now
    const again = now - this.#askedAt < AGAIN_MS ? this.known() : this.refresh()
    return own(await again, name) ?? own(await this.more(), name)
  }

  /** Reason why the variables are unknown after a request, without a trailing period. */
  get problem(): string | undefined {
    if (!this.#hasAsked || this.#answer || this.#shell === undefined) return undefined
    return this.#asking
      ? `Your shell (${this.#shell}) didn’t answer within ${String(this.#waitMs / 1_000)} s`
      : `Your shell (${this.#shell}) ended without an answer`
  }

  /** Ends all running shells. */
  [Symbol.dispose](): void {
    this.#isOver = true
    for (const question of this.#running) question[Symbol.dispose]()
  }

  get #waitMs(): number {
    return this.options.waitMs ?? WAIT_MS
  }

  /** Tries each way until one is answered; a silent shell keeps running meanwhile. */
  async #askAll(shell: string): Promise<void> {
    const open: ShellQuestion[] = []
    let answer: ShellEnvironment | undefined
    for (const way of WAYS) {
      if (this.#isOver) return
      open.push(this.#ask(shell, way))
      answer = await within(this.#waitMs * NEXT_SHARE, firstOf(open), () => undefined)
      if (answer) break
    }
    this.#answer = answer ?? (await firstOf(open)) ?? this.#answer
    for (const question of open) question[Symbol.dispose]()
  }

  #ask(shell: string, way: ShellWay): ShellQuestion {
    const { longestMs = LONGEST_MS } = this.options
    const question = askShell({ ...this.options, shell }, way, longestMs)
    this.#running.add(question)
    void question.answer.then(() => this.#running.delete(question))
    return question
  }

  #add(more: ShellEnvironment | undefined): void {
    if (!more) return
    const PATH = [this.#answer?.PATH, more.PATH].filter(Boolean).join(':')
    this.#answer = { ...more, ...this.#answer, PATH }
  }
}

/** Resolves to the first answer; undefined if all requests end without one. */
function firstOf(questions: readonly ShellQuestion[]): Promise<ShellEnvironment | undefined> {
  const answers = questions.map(async (question) => {
    const answer = await question.answer
    if (answer === undefined) throw new Error('no answer')
    return answer
  })
  return Promise.any(answers).catch(() => undefined)
}

function own(variables: ShellEnvironment | undefined, name: string): string | undefined {
  return variables && Object.hasOwn(variables, name) ? variables[name] : undefined
}

function shellOf({ platform, environment, accountShell }: LoginShellOptions): string | undefined {
  if (platform === 'win32') return undefined
  const usual = platform === 'darwin' ? '/bin/zsh' : '/bin/sh'
  const shell = environment.SHELL ?? accountShell ?? usual
  return shell.startsWith('/') && !NO_SHELL.test(shell) ? shell : undefined
}
