import { readFileSync } from 'node:fs'

import { AppError } from '../../../../src-shared/domain/app-error'
import { attempt } from '../../../../src-shared/domain/attempt'
import { ExplainedError } from '../../failure/explained-error'
import type { LogBuffer } from '../../log/log-buffer'
import { shapeLine } from '../../log/log-receiver'
import type { ProcessEntry } from '../../process/tree/process-table'
import type { ProcessTree } from '../../process/tree/process-tree'
import { TreeMeter } from '../../process/tree/tree-meter'
import { findHttpListener } from './http-listener'
import { hasAmount, isProgress, OutputProgress, progressLabel } from './output-progress'
import { SignInReader, type SignInRequest } from './sign-in-request'

/** Time for a user to sign in, in ms. */
export const SIGN_IN_MS = 600_000
const CHECK_MS = 1_000
/** Looks before processor time counts: every program needs some to begin. */
const FIRST_CHECKS = 2
/** Lines read at one look, newest first. */
const MAX_LINES = 200
/** A program that repeats more lines than this per second is only busy repeating them. */
const MAX_REPEATS = 10
/** Share of a processor that idle programs and slow loops never use, but working programs do, even on a busy computer. */
const BUSY_SHARE = 0.1
/** Bytes per second that a working program reads and writes, apart from its output. */
const BUSY_BYTES = 64 * 1024

/** The work of a start, or the sign-in it waits for. */
export type StartActivity = {
  /** Without a full stop. */
  readonly label?: string | undefined
  readonly signIn?: SignInRequest | undefined
}

/** The watched program. */
export type WatchedProgram = {
  readonly log: LogBuffer
  /** Number of its first log line. */
  readonly fromSeq: number
  /** Output without a line end so far. */
  readonly unfinished: () => readonly string[]
  /** Bytes printed so far. */
  readonly printedBytes: () => number
  readonly tree: ProcessTree | undefined
  readonly servesHttp: boolean
}

/** Time limits of a start, in ms: without signs of life, by default, and with signs of life. */
export type WatchLimits = Readonly<Record<'idleMs' | 'usualMs' | 'longestMs', number>>

/** Watches a program from its start to its first answer, until disposed: it may work, wait for its user, or serve another way. */
export class StartWatch implements Disposable {
  readonly #startedAt = performance.now()
  readonly #progress = new OutputProgress()
  readonly #signIn = new SignInReader()
  readonly #work: TreeWork | undefined
  readonly #timer: NodeJS.Timeout
  readonly #lines: string[] = []
  #unfinished: readonly string[] = []
  #nextSeq: number
  #printedBytes = 0
  #checkedAt = performance.now()
  #checks = 0
  #looking: Promise<void> | undefined
  #lifeAt = performance.now()
  #label: string | undefined
  #signInAt: number | undefined
  #isExtended = false
  #shown = ''

  constructor(
    private readonly program: WatchedProgram,
    private readonly limits: WatchLimits,
    private readonly onChange: (activity: StartActivity) => void,
  ) {
    this.#nextSeq = program.fromSeq
    this.#work = program.tree && new TreeWork(program.tree)
    const everyMs = Math.min(CHECK_MS, limits.idleMs / 4)
    this.#timer = setInterval(() => void this.#check(), everyMs).unref()
  }

  /** The current limit, from the beginning on, in ms. */
  get limitMs(): number {
    const { longestMs } = this.limits
    const signInMs =
      this.#signInAt === undefined ? 0 : this.#signInAt - this.#startedAt + SIGN_IN_MS
    return Math.max(longestMs, signInMs)
  }

  /** Decides at the limit: how long the start may continue, in ms, or the error; undefined if it simply took too long. Never rejects. */
  async more(): Promise<number | AppError | undefined> {
    await this.#check()
    const now = performance.now()
    const { idleMs, usualMs, longestMs } = this.limits
    // Work at the beginning is no sign that a program still works at its limit.
    const quietMs = this.#isExtended ? idleMs : idleMs / 2
    const remainingMs = quietMs - (now - this.#lifeAt)
    const spentMs = now - this.#startedAt
    if (this.#signInAt !== undefined && !this.#signIn.isDone)
      return this.limitMs > spentMs ? this.limitMs - spentMs : signInError()
    if (remainingMs > 0 && spentMs >= longestMs) return stillWorkingError(longestMs)
    if (remainingMs > 0) {
      this.#isExtended = true
      return Math.ceil(Math.min(remainingMs + idleMs - quietMs, longestMs - spentMs))
    }
    const other = await this.#otherTransport()
    if (other || spentMs >= usualMs) return other
    return Math.ceil(Math.min(idleMs, usualMs - spentMs))
  }

  /** When to call `more` first, in ms. */
  get firstMs(): number {
    return this.limits.idleMs
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }

  #check(): Promise<void> {
    this.#looking ??= this.#readAll().finally(() => (this.#looking = undefined))
    return this.#looking
  }

  async #readAll(): Promise<void> {
    const seconds = (performance.now() - this.#checkedAt) / 1_000
    this.#checkedAt = performance.now()
    this.#checks += 1
    const repeats = this.#readLines()
    const printed = this.program.printedBytes()
    const isBusy = await this.#work?.isBusy(printed - this.#printedBytes)
    const isRepeating = repeats >= MAX_REPEATS * seconds
    if (isBusy && !isRepeating && this.#checks > FIRST_CHECKS) this.#lives()
    this.#printedBytes = printed
    this.#show()
  }

  /** Reads the output since the last look; returns how many lines repeat earlier ones. */
  #readLines(): number {
    const { log, unfinished } = this.program
    const before = this.#nextSeq
    this.#nextSeq = log.nextSeq
    const incoming = log.newest(MAX_LINES, before, ['stderr', 'stdout']).map(({ text }) => text)
    this.#lines.push(...incoming)
    this.#lines.splice(0, this.#lines.length - MAX_LINES)
    const open = unfinished().map((text) => shapeLine(text, log.redactor.maskWhole).text)
    const changed = open.flatMap((text) => grownBy(text, this.#unfinished) ?? [])
    this.#unfinished = open
    let repeats = this.#nextSeq - before - incoming.length
    for (const line of [...incoming, ...changed]) {
      this.#signIn.add(line)
      if (!this.#progress.add(line)) repeats += 1
      else {
        this.#lives()
        if (isProgress(line) || this.#isLate) this.#label = progressLabel(line)
      }
    }
    if (this.#signIn.request) this.#signInAt ??= performance.now()
    return repeats
  }

  get #isLate(): boolean {
    return performance.now() - this.#startedAt >= this.limits.usualMs
  }

  #lives(): void {
    this.#lifeAt = performance.now()
  }

  #show(): void {
    const signIn = this.#signIn.isDone ? undefined : this.#signIn.request
    const label = this.#label ?? (this.#isLate ? 'Still working' : undefined)
    const activity: StartActivity = { label, signIn }
    const shown = JSON.stringify(activity)
    if (shown !== this.#shown && shown !== '{}') this.onChange(activity)
    this.#shown = shown
  }

  /** The error of a program that serves HTTP or prompts instead of answering on stdout. */
  async #otherTransport(): Promise<AppError | undefined> {
    const { tree, servesHttp } = this.program
    const prompt = promptIn(this.#unfinished, this.#lines.at(-1))
    if (prompt !== undefined) return promptError(prompt)
    if (servesHttp || !tree) return undefined
    const listener = await findHttpListener(tree, this.#lines)
    return listener && httpError(listener.url)
  }
}

/** The new part of an unfinished line; undefined if the line only grew, as one written byte by byte does. */
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

function stillWorkingError(maxMs: number): AppError {
  const limit = String(maxMs / 1_000)
  return new AppError(
    'PHASE_TIMEOUT',
    `The server was still working after ${limit} s and has not initialized.`,
    { hint: 'Raise the download limit in Settings, then start it again.' },
  )
}

function promptError(prompt: string): AppError {
  return new ExplainedError('HANDSHAKE_FAILED', 'The server did not initialize.', {
    causeId: 'asks-on-stdin',
    message: `The server waits for an answer in a terminal: “${prompt}”. Run its command in a terminal once to set it up.`,
    step: { kind: 'setUpInTerminal' },
    isPermanent: true,
  })
}

function httpError(url: string): AppError {
  return new ExplainedError('HANDSHAKE_FAILED', 'The server did not initialize over stdio.', {
    causeId: 'serves-http',
    message: `The server listens on ${url} instead of stdin. Start it with its stdio option, such as --transport stdio, or run it yourself and add it as an HTTP server.`,
    step: { kind: 'addHttp', url },
    isPermanent: true,
  })
}

/** Measures whether a process tree works: by processor time, and on Linux by its reads and writes. */
class TreeWork {
  readonly #meter = new TreeMeter()
  #before: { readonly at: number; readonly bytes: ReadonlyMap<string, number> } | undefined

  constructor(private readonly tree: Pick<ProcessTree, 'look'>) {}

  /** False at the first look. `printedBytes`: its output since the previous look. */
  async isBusy(printedBytes: number): Promise<boolean> {
    const members = await this.tree.look()
    const now = performance.now()
    const { cpu } = this.#meter.measure(members, now)
    const isComputing = cpu !== undefined && cpu.cpuMs >= cpu.ofMs * BUSY_SHARE
    return this.#isTransferring(members, now, printedBytes) || isComputing
  }

  #isTransferring(members: readonly ProcessEntry[], now: number, printedBytes: number): boolean {
    const bytes = new Map(
      members.map((entry) => [`${String(entry.pid)} ${entry.startTime}`, bytesOf(entry)]),
    )
    const before = this.#before
    this.#before = { at: now, bytes }
    if (!before) return false
    // A new process has read its own program, which is no transfer.
    const moved = [...bytes].reduce(
      (sum, [key, count]) => sum + Math.max(0, count - (before.bytes.get(key) ?? count)),
      0,
    )
    // Output is written once, and read once more if it passes a pipe within the tree.
    return moved - 2 * printedBytes >= ((now - before.at) / 1_000) * BUSY_BYTES
  }
}

/** Bytes that a process has read and written so far, files and pipes alike (proc(5)); 0 if unknown. */
function bytesOf({ pid }: ProcessEntry): number {
  if (process.platform !== 'linux') return 0
  // Unreadable for another account's process, or one that has ended.
  const io = attempt(() => readFileSync(`/proc/${String(pid)}/io`, 'latin1')) ?? ''
  return [...io.matchAll(/^[rw]char: (\d+)$/gmu)].reduce((sum, [, n]) => sum + Number(n), 0)
}

const MAX_PROMPT_LENGTH = 120
const PROMPT_END = /[:?>]\s*$|[([]\s?y(?:es)?(?:\s?\/\s?no?)?\s?[)\]]\s*:?\s*$/iu
const REQUEST =
  /^\?\s|\b(?:enter|paste|type|press|provide|choose|select|pick|input|what is|which)\b|[([]\s?y(?:es)?(?:\s?\/\s?no?)?\s?[)\]]|\b(?:continue|proceed|password|passphrase|token|key|username|e-?mail)\b[^.]{0,30}[:?]\s*$/iu
/** Describes the program's work, not a question to the user. */
const ACTIVITY = /\b(?!string|setting)\w{3,}ing\b[^?]{0,40}[:>]\s*$/iu
const NO_PROMPT = /^\s*[{[<]|%|\d\s?[KMGT]i?B|https?:\/\//iu

/**
 * Finds a program's prompt; undefined if no line looks like one. `unfinished`: output without a line end, as prompts are; `last`: the last
 * whole line.
 */
export function promptIn(
  unfinished: readonly string[],
  last: string | undefined,
): string | undefined {
  const open = unfinished.find((text) => isPrompt(text))
  if (open !== undefined) return shortPrompt(open)
  return last !== undefined && isPrompt(last) && REQUEST.test(last) ? shortPrompt(last) : undefined
}

function isPrompt(text: string): boolean {
  return PROMPT_END.test(text) && !NO_PROMPT.test(text) && !ACTIVITY.test(text)
}

function shortPrompt(text: string): string {
  const prompt = text.trim()
  return prompt.length > MAX_PROMPT_LENGTH ? `…${prompt.slice(-MAX_PROMPT_LENGTH)}` : prompt
}
