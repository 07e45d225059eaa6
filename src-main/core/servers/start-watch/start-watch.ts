import { AppError } from '../../../../src-shared/domain/app-error'
import { ExplainedError } from '../../failure/explained-error'
import type { LogBuffer } from '../../log/log-buffer'
import { shapeLine } from '../../log/log-receiver'
import type { ProcessTree } from '../../process/tree/process-tree'
import { findHttpListener } from './http-listener'
import { hasAmount, isProgress, OutputProgress, progressLabel } from './output-progress'
import { SignInReader, type SignInRequest } from './sign-in-request'
import { promptIn } from './stdin-prompt'
import { TreeWork } from './tree-work'

/** How long a user has to sign in, in ms. */
export const SIGN_IN_MS = 600_000
const LOOK_MS = 1_000
/** Looks after which the processor time counts: every program takes some to begin. */
const FIRST_LOOKS = 2
/** Lines that are read at one look, the newest. */
const MOST_LINES = 200
/** Lines a second that say nothing new, from which on a program is only busy with repeating them. */
const MOST_REPEATS = 10

/** What a start is at, or what it waits for. */
export type StartActivity = {
  /** Without a full stop. */
  readonly label?: string | undefined
  readonly signIn?: SignInRequest | undefined
}

export type StartWatchParts = {
  readonly log: LogBuffer
  /** Of its first line. */
  readonly fromSeq: number
  /** Texts that the program wrote without ending their line. */
  readonly unfinished: () => readonly string[]
  /** What it has printed so far. */
  readonly printedBytes: () => number
  readonly tree: ProcessTree | undefined
  /** Whether it is meant to serve HTTP. */
  readonly servesHttp: boolean
  /** How long a start without signs of life is left alone, its limit, and that of one with signs of life, in ms. */
  readonly idleMs: number
  readonly usualMs: number
  readonly longestMs: number
  readonly onChange: (activity: StartActivity) => void
}

/**
 * Watches a program between its start and its first answer: whether it works, waits for its user, or serves another way.
 * Until it is disposed.
 */
export class StartWatch implements Disposable {
  readonly #begunAt = performance.now()
  readonly #progress = new OutputProgress()
  readonly #signIn = new SignInReader()
  readonly #work: TreeWork | undefined
  readonly #timer: NodeJS.Timeout
  readonly #lines: string[] = []
  #unfinished: readonly string[] = []
  #nextSeq: number
  #printedBytes = 0
  #lookedAt = performance.now()
  #looks = 0
  #looking: Promise<void> | undefined
  #lifeAt = performance.now()
  #label: string | undefined
  #signInAt: number | undefined
  #isExtended = false
  #shown = ''

  constructor(private readonly parts: StartWatchParts) {
    this.#nextSeq = parts.fromSeq
    this.#work = parts.tree && new TreeWork(parts.tree)
    const everyMs = Math.min(LOOK_MS, parts.idleMs / 4)
    this.#timer = setInterval(() => void this.#look(), everyMs).unref()
  }

  /** The limit that holds now, from the begin on, in ms. */
  get limitMs(): number {
    const { longestMs } = this.parts
    const signInMs = this.#signInAt === undefined ? 0 : this.#signInAt - this.#begunAt + SIGN_IN_MS
    return Math.max(longestMs, signInMs)
  }

  /**
   * Decides at its limit: how long the start may go on, in ms, or why not; undefined where nothing is known but that it took
   * too long. Never rejects.
   */
  async more(): Promise<number | AppError | undefined> {
    await this.#look()
    const now = performance.now()
    const { usualMs, longestMs } = this.parts
    const { idleMs } = this.parts
    // What a program does when it begins is no sign that it still works at its limit.
    const quietMs = this.#isExtended ? idleMs : idleMs / 2
    const leftMs = quietMs - (now - this.#lifeAt)
    const spentMs = now - this.#begunAt
    if (this.#signInAt !== undefined && !this.#signIn.isOver)
      return this.limitMs > spentMs ? this.limitMs - spentMs : signInError()
    if (leftMs > 0 && spentMs >= longestMs) return stillWorkingError(longestMs)
    if (leftMs > 0) {
      this.#isExtended = true
      return Math.ceil(Math.min(leftMs + idleMs - quietMs, longestMs - spentMs))
    }
    const other = await this.#otherWay()
    if (other || spentMs >= usualMs) return other
    return Math.ceil(Math.min(idleMs, usualMs - spentMs))
  }

  /** After which `more` is to be asked first, in ms. */
  get firstMs(): number {
    return this.parts.idleMs
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }

  #look(): Promise<void> {
    this.#looking ??= this.#readAll().finally(() => (this.#looking = undefined))
    return this.#looking
  }

  async #readAll(): Promise<void> {
    const seconds = (performance.now() - this.#lookedAt) / 1_000
    this.#lookedAt = performance.now()
    this.#looks += 1
    const repeats = this.#readLines()
    const printed = this.parts.printedBytes()
    const isBusy = await this.#work?.isBusy(printed - this.#printedBytes)
    const isRepeating = repeats >= MOST_REPEATS * seconds
    if (isBusy && !isRepeating && this.#looks > FIRST_LOOKS) this.#lives()
    this.#printedBytes = printed
    this.#show()
  }

  /** Reads what was printed since the last look; returns how many lines said nothing new. */
  #readLines(): number {
    const { log, unfinished } = this.parts
    const before = this.#nextSeq
    this.#nextSeq = log.nextSeq
    const came = log.newest(MOST_LINES, before, ['stderr', 'stdout']).map(({ text }) => text)
    this.#lines.push(...came)
    this.#lines.splice(0, this.#lines.length - MOST_LINES)
    const open = unfinished().map((text) => shapeLine(text, log.redactor.maskWhole).text)
    const changed = open.flatMap((text) => grownBy(text, this.#unfinished) ?? [])
    this.#unfinished = open
    let repeats = this.#nextSeq - before - came.length
    for (const line of [...came, ...changed]) {
      this.#signIn.take(line)
      if (!this.#progress.take(line)) repeats += 1
      else {
        this.#lives()
        if (isProgress(line) || this.#isLate) this.#label = progressLabel(line)
      }
    }
    if (this.#signIn.request) this.#signInAt ??= performance.now()
    return repeats
  }

  get #isLate(): boolean {
    return performance.now() - this.#begunAt >= this.parts.usualMs
  }

  #lives(): void {
    this.#lifeAt = performance.now()
  }

  #show(): void {
    const signIn = this.#signIn.isOver ? undefined : this.#signIn.request
    const label = this.#label ?? (this.#isLate ? 'Still working' : undefined)
    const activity: StartActivity = { label, signIn }
    const shown = JSON.stringify(activity)
    if (shown !== this.#shown && shown !== '{}') this.parts.onChange(activity)
    this.#shown = shown
  }

  /** Where it serves or asks instead of answering on stdout. */
  async #otherWay(): Promise<AppError | undefined> {
    const { tree, servesHttp } = this.parts
    const prompt = promptIn(this.#unfinished, this.#lines.at(-1))
    if (prompt !== undefined) return promptError(prompt)
    if (servesHttp || !tree) return undefined
    const listener = await findHttpListener(tree, this.#lines)
    return listener && httpError(listener.url)
  }
}

/** What is new of a line that has not ended; undefined where it has only become longer, as one that is written byte by byte. */
function grownBy(text: string, before: readonly string[]): string | undefined {
  const begin = before.find((old) => text.startsWith(old))
  if (begin === undefined) return text
  const more = text.slice(begin.length)
  return hasAmount(more) ? more : undefined
}

function signInError(): AppError {
  const limit = String(SIGN_IN_MS / 60_000)
  return new AppError('SIGN_IN_NEEDED', `Nobody signed in within ${limit} min.`, {
    hint: 'Start the server again, then sign in at the link that it shows.',
  })
}

function stillWorkingError(longestMs: number): AppError {
  const limit = String(longestMs / 1_000)
  return new AppError(
    'PHASE_TIMEOUT',
    `The server was still working after ${limit} s and has not initialized.`,
    { hint: 'Raise the download limit in Settings, then start it again.' },
  )
}

function promptError(prompt: string): AppError {
  return new ExplainedError('HANDSHAKE_FAILED', 'The server did not initialize.', {
    causeId: 'asks-on-stdin',
    sentence: `The server waits for an answer in a terminal: “${prompt}”. Run its command in a terminal once to set it up.`,
    step: { kind: 'setUpInTerminal' },
    isPermanent: true,
  })
}

function httpError(url: string): AppError {
  return new ExplainedError('HANDSHAKE_FAILED', 'The server did not initialize over stdio.', {
    causeId: 'serves-http',
    sentence: `The server listens on ${url} instead of stdin. Start it with its stdio option, such as --transport stdio, or run it yourself and add it as an HTTP server.`,
    step: { kind: 'addHttp', url },
    isPermanent: true,
  })
}
