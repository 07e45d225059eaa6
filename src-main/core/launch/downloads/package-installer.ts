import pLimit, { type LimitFunction } from 'p-limit'

import type { ChildExit, ChildSpec } from '../../process/spawn/child-process'
import type { CacheEntry } from '../repair/cache-entry'
import { CopyUses } from '../repair/copy-uses'
import { runProgram } from '../runners/ask-program'
import { InstallError } from '../runners/runner-error'

/** Minimum time between progress lines, in ms. */
const PACE_MS = 1_000
const FETCHED = /^npm http (?:fetch|cache) .*\/([^/\s]+)\.tgz\b.*\(cache (?!hit)/
const REJECTED = /^npm http fetch [A-Z]{3,6} 40[13] /
const HTTP = 'npm http '

/**
 * Condenses npm's output with `--loglevel http` to a few lines: the number of packages and the latest one. Passes on all other lines
 * unchanged. `end` reports the final count.
 */
export class NpmProgress {
  #count = 0
  #loggedAt = Number.NEGATIVE_INFINITY

  constructor(
    private readonly log: (line: string) => void,
    private readonly now: () => number = Date.now,
  ) {}

  receive(line: string): void {
    const name = FETCHED.exec(line)?.[1]
    if (name === undefined) {
      // npm repeats that a request failed, but not which registry rejected it.
      if (!line.startsWith(HTTP) || REJECTED.test(line)) this.log(line)
      return
    }
    this.#count += 1
    if (this.now() - this.#loggedAt < PACE_MS) return
    this.#loggedAt = this.now()
    this.log(`Downloaded ${name} (${packages(this.#count)} so far)`)
  }

  end(): void {
    if (this.#count > 0) this.log(`Downloaded ${packages(this.#count)}`)
  }
}

function packages(count: number): string {
  return count === 1 ? '1 package' : `${String(count)} packages`
}

/** The highest timeout that a user can set, in ms: every waiting start has timed out by then. */
const MAX_MS = 3_600_000

/** The working folder of a command, with the arguments that name it; `remove` never rejects. */
export type InstallFolder = {
  readonly cwd: string
  readonly args: readonly string[]
  readonly remove: () => Promise<void>
}

/** A command that fetches a package; `progress` names the parser of its output, if any. */
export type InstallSpec = ChildSpec & {
  readonly progress?: 'npm'
  /** Creates the folder that it needs, which is removed when the command ends. */
  readonly arrange?: () => Promise<InstallFolder>
  /** Whether the start can continue after a failure. */
  readonly mayFail?: boolean
  /** The copy that it fills; only one process at a time may write to it. */
  readonly copy?: CacheEntry | undefined
}

/** A writer's turn for a runner's cached copy. */
export type CopyTurn = {
  readonly isWaiting: boolean
  /** Settles when no other writes to the copy. */
  readonly started: Promise<void>
  /** Passes the turn on, or gives it up before it has come. */
  readonly end: () => void
}

/** A download with waiting servers. */
export type Download = {
  /** Whether another server started it and waits for it, too. */
  readonly isShared: boolean
  readonly isWaiting: boolean
  /** Settles when the download starts. */
  readonly started: Promise<void>
  /** Settles when the package is fetched; rejects with INSTALL_FAILED, or as spawning does. */
  readonly finished: Promise<void>
}

type Entry = {
  state: 'waiting' | 'running' | 'ending'
  readonly started: PromiseWithResolvers<undefined>
  /** Settles when no process of the download is left, whatever the outcome. */
  readonly settled: Promise<void>
  readonly finished: Promise<void>
  readonly cancel: AbortController
  readonly listeners: Set<(line: string) => void>
}

/**
 * Fetches packages before their servers start, so that no handshake waits for a download (B9), a few at a time. Servers share the download
 * of one package. A download whose servers timed out continues, because its result is cached and the next start joins it.
 */
export class PackageInstaller {
  readonly #downloads = new Map<string, Entry>()
  readonly #installed = new Set<string>()
  readonly #fetched = new Set<string>()
  readonly #queue: LimitFunction
  /** The last writer of each copy being written. */
  readonly #writers = new Map<string, Promise<unknown>>()
  readonly uses = new CopyUses()

  constructor(slots: number) {
    this.#queue = pLimit(slots)
  }

  setSlots(slots: number): void {
    this.#queue.concurrency = slots
  }

  /** Whether this exact command has succeeded since the app started. */
  isInstalled(spec: ChildSpec): boolean {
    return this.#installed.has(keyOf(spec))
  }

  /** Whether a runner that fetches its own package has done so since the app started. */
  hasFetched(key: string): boolean {
    return this.#fetched.has(key)
  }

  rememberFetched(key: string): void {
    this.#fetched.add(key)
  }

  /** Forgets fetches whose packages were deleted. */
  forget(spec: ChildSpec | undefined, key: string | undefined): void {
    if (spec) this.#installed.delete(keyOf(spec))
    if (key !== undefined) this.#fetched.delete(key)
  }

  /**
   * Joins the download of this command, or starts it when its turn comes. `onLine` receives its lines and identifies the waiting start,
   * which can rejoin its own download. `mask` hides the secrets of `spec` from other servers.
   */
  join(
    spec: InstallSpec,
    onLine: (line: string) => void,
    mask: (line: string) => string = (line) => line,
  ): Download {
    const key = keyOf(spec)
    const present = this.#downloads.get(key)
    const shared = present && present.state !== 'ending' ? present : undefined
    const entry = shared ?? this.#start(key, spec, mask)
    const isShared = entry.listeners.size > 0 && !entry.listeners.has(onLine)
    entry.listeners.add(onLine)
    return {
      isWaiting: entry.state === 'waiting',
      isShared,
      started: entry.started.promise,
      finished: entry.finished,
    }
  }

  /** Settles when this start's download has ended; undefined if it has none. */
  waitedFor(onLine: (line: string) => void): Promise<void> | undefined {
    return [...this.#downloads.values()].find(({ listeners }) => listeners.has(onLine))?.settled
  }

  /** Removes a waiting start, and ends downloads that nobody else waits for. Settles when none of their processes is left. */
  async release(onLine: (line: string) => void): Promise<void> {
    const abandoned = [...this.#downloads].filter(
      ([, { listeners }]) => listeners.delete(onLine) && listeners.size === 0,
    )
    await Promise.all(abandoned.map(([key, entry]) => this.#end(key, entry)))
  }

  /** Ends every download. */
  async close(): Promise<void> {
    await Promise.all([...this.#downloads].map(([key, entry]) => this.#end(key, entry)))
  }

  /** Waits for a turn to write to a copy, shared by all commands that write to it. */
  enterCopy(copy: CacheEntry): CopyTurn {
    const key = JSON.stringify(copy)
    const before = this.#writers.get(key)
    const { promise, resolve } = Promise.withResolvers<undefined>()
    const turnEnded = Promise.all([before, promise])
    this.#writers.set(key, turnEnded)
    void turnEnded.then(() => {
      if (this.#writers.get(key) === turnEnded) this.#writers.delete(key)
    })
    return {
      isWaiting: before !== undefined,
      started: Promise.resolve(before).then(() => undefined),
      end: () => resolve(undefined),
    }
  }

  #start(key: string, spec: InstallSpec, mask: (line: string) => string): Entry {
    // A canceled download must have ended first: two would collide in the runner's cache.
    const before = this.#downloads.get(key)?.settled
    const cancel = new AbortController()
    const started = Promise.withResolvers<undefined>()
    const listeners = new Set<(line: string) => void>()
    const emitLine = (line: string): void => {
      const masked = mask(line)
      for (const listener of listeners) listener(masked)
    }
    const copyTurn = spec.copy && this.enterCopy(spec.copy)
    const queue = this.#queue
    const hasFreeSlot = queue.activeCount + queue.pendingCount < queue.concurrency
    const isNext = hasFreeSlot && !before && !copyTurn?.isWaiting
    const work = async (): Promise<void> => {
      await before
      cancel.signal.throwIfAborted()
      entry.state = 'running'
      started.resolve(undefined)
      const exit = await fetchInPlace(spec, emitLine, cancel.signal)
      cancel.signal.throwIfAborted()
      if (exit.code !== 0) throw new InstallError(spec.command, exit)
      this.#installed.add(key)
    }
    // A download that waits for its copy takes no slot.
    const finished = copyTurn?.isWaiting
      ? copyTurn.started.then(() => this.#queue(work))
      : this.#queue(work)
    const forget = (): void => {
      if (this.#downloads.get(key) === entry) this.#downloads.delete(key)
    }
    const settled = finished.then(forget, forget)
    if (copyTurn) void settled.then(copyTurn.end)
    const state = isNext ? 'running' : 'waiting'
    const entry: Entry = { state, started, settled, finished, cancel, listeners }
    this.#downloads.set(key, entry)
    return entry
  }

  async #end(key: string, entry: Entry): Promise<void> {
    const wasWaiting = entry.state === 'waiting'
    entry.state = 'ending'
    entry.cancel.abort(new Error('the download was canceled'))
    // A queued download runs no process yet, and its turn may be far away.
    if (wasWaiting && this.#downloads.get(key) === entry) this.#downloads.delete(key)
    else await entry.settled
  }
}

async function fetchInPlace(
  spec: InstallSpec,
  emitLine: (line: string) => void,
  signal: AbortSignal,
): Promise<ChildExit> {
  const folder = await spec.arrange?.()
  if (!folder) return fetchPackage(spec, emitLine, signal)
  try {
    const { cwd, args } = folder
    return await fetchPackage({ ...spec, cwd, args: [...spec.args, ...args] }, emitLine, signal)
  } finally {
    await folder.remove()
  }
}

async function fetchPackage(
  spec: InstallSpec,
  emitLine: (line: string) => void,
  stop: AbortSignal,
): Promise<ChildExit> {
  const progress = spec.progress === 'npm' ? new NpmProgress(emitLine) : undefined
  const onLine = (line: string): void => (progress ? progress.receive(line) : emitLine(line))
  const signal = AbortSignal.any([stop, AbortSignal.timeout(MAX_MS)])
  const exit = await runProgram(spec, { onLine, signal })
  progress?.end()
  return exit
}

/** The working folder is omitted: the filled cache is the same. */
function keyOf({ command, args, env }: ChildSpec): string {
  return JSON.stringify([
    command,
    args,
    Object.entries(env).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ])
}
