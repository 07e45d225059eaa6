import { within } from '../../lifecycle/time-limit'
import {
  askShell,
  type ShellEnvironment,
  type ShellPlace,
  type ShellQuestion,
  type ShellWay,
} from './ask-shell'

/** How long the app waits for a shell, in ms: a profile may ask the network. A later answer is used, too. */
const WAIT_MS = 10_000
/** When a shell that is silent is asked another way besides, as a share of the wait. */
const NEXT_SHARE = 0.6
/** When a shell that is silent is ended, in ms. */
const LONGEST_MS = 60_000
/** How long the files of an interactive shell are waited for besides, in ms. */
const MORE_MS = 5_000
/** After a look for a variable that the shell doesn't set, the next one waits so long, in ms. */
const AGAIN_MS = 10_000
const NO_SHELL = /\/(?:nologin|false|true)$/u

/**
 * Login and interactive, since people set variables in the files of either; then without a terminal's files, which may need one;
 * then with the question on stdin, for a profile that hands over to another shell.
 */
const WAYS: readonly ShellWay[] = [
  { options: '-ilc' },
  { options: '-lc' },
  { options: '-il', isOnStdin: true },
]
/** A profile of bash that does not read `.bashrc` leaves out what is set there. */
const INTERACTIVE: ShellWay = { options: '-ic' }

export type LoginShellOptions = Omit<ShellPlace, 'shell'> & {
  /** The shell of the account, for a service without SHELL. */
  readonly accountShell?: string | undefined
  readonly waitMs?: number
  readonly longestMs?: number
}

/**
 * What the user's login shell sets: an app that was started from a dock or a menu does not inherit it. Nothing on Windows.
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

  /** Asks the shell once; later calls share the answer. Undefined where it gives none in time. */
  read(): Promise<ShellEnvironment | undefined> {
    return this.#hasAsked ? this.known() : this.refresh()
  }

  /** What is known without asking, once a question under way is answered or has had its time. */
  async known(): Promise<ShellEnvironment | undefined> {
    const { answer, until = 0 } = this.#asking ?? {}
    const leftMs = until - performance.now()
    if (answer && leftMs > 0) await within(leftMs, answer, () => undefined)
    return this.#answer
  }

  /** Asks again, since something may have been installed meanwhile; a question under way is shared. */
  refresh(): Promise<ShellEnvironment | undefined> {
    this.#hasAsked = true
    this.#askedAt = performance.now()
    if (this.#shell !== undefined && !this.#asking) {
      const answer = this.#askAll(this.#shell).finally(() => (this.#asking = undefined))
      this.#asking = { answer, until: performance.now() + this.#waitMs }
    }
    return this.known()
  }

  /** Asks an interactive shell besides, for what the login shell does not set. */
  async more(): Promise<ShellEnvironment | undefined> {
    if (this.#shell !== undefined) {
      const waitMs = Math.min(MORE_MS, this.#waitMs)
      const added = this.#ask(this.#shell, INTERACTIVE).answer.then((more) => this.#add(more))
      await within(waitMs, added, () => undefined)
    }
    return this.#answer
  }

  /** The value of a variable; looks again for one that is not set, at most once in 10 s. */
  async valueOf(name: string): Promise<string | undefined> {
    const known = own(await this.read(), name)
    const now = performance.now()
    // One that is silent or ends without an answer does so again.
    if (known !== undefined || this.#answer === undefined || now - this.#lookedAt < AGAIN_MS)
      return known
    this.#lookedAt = now
    const again = now - this.#askedAt < AGAIN_MS ? this.known() : this.refresh()
    return own(await again, name) ?? own(await this.more(), name)
  }

  /** Why nothing is known although the shell was asked: what it did, without a full stop. */
  get trouble(): string | undefined {
    if (!this.#hasAsked || this.#answer || this.#shell === undefined) return undefined
    return this.#asking
      ? `Your shell (${this.#shell}) didn’t answer within ${String(this.#waitMs / 1_000)} s`
      : `Your shell (${this.#shell}) ended without an answer`
  }

  /** Ends a shell that is still asked. */
  [Symbol.dispose](): void {
    this.#isOver = true
    for (const question of this.#running) question[Symbol.dispose]()
  }

  get #waitMs(): number {
    return this.options.waitMs ?? WAIT_MS
  }

  /** Asks one way after the other until one is answered; a silent one goes on meanwhile. */
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

/** The first answer of several questions; undefined once none has one. */
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
