import { addAbortListener } from 'node:events'
import { stat } from 'node:fs/promises'

import { errorMessage } from '../../../../src-shared/domain/error-message'
import { within } from '../../lifecycle/time-limit'
import { drainLines } from '../../lines/line-reader'
import { type ChildExit, type ChildSpec, spawnChild } from '../../process/spawn/child-process'
import { DEFAULT_STOP_GRACE, GracefulStop } from '../../process/spawn/graceful-stop'

/** Options of a program run. */
type ProgramRun = {
  readonly onLine: (line: string) => void
  /** Aborting ends the program with all its children; the run settles when none of their processes is left. */
  readonly signal: AbortSignal
  /** Whether children that outlive its own exit keep running. */
  readonly leavesRest?: boolean
}

/** Runs a program without stdin to its end. Rejects as spawning does. */
export async function runProgram(
  spec: ChildSpec,
  { onLine, signal, leavesRest = false }: ProgramRun,
): Promise<ChildExit> {
  const child = await spawnChild(spec, onLine)
  void drainLines(child.stdout, onLine)
  child.stdin.on('error', (error) => onLine(`(${error.message})`)).end()
  const stop = new GracefulStop(child, { ...DEFAULT_STOP_GRACE, stdinMs: 0 })
  using _aborting = addAbortListener(signal, () => void stop.stop())
  try {
    const exit = await child.exited
    await child.drainStderr()
    return exit
  } finally {
    if (leavesRest && !signal.aborted) child.finish({ isTreeGone: true, isContainerGone: true })
    else await stop.stop()
  }
}

/** A program's response to a short request. */
export type ProgramResponse =
  | { readonly kind: 'answered'; readonly code: number | null; readonly text: string }
  /** Ended, because it exceeded the time limit. */
  | { readonly kind: 'silent' }
  /** The program couldn't be started; the reason is a sentence. */
  | { readonly kind: 'failed'; readonly reason: string }

/** In ms; the program only prints a line, so an orderly end would save nothing. */
const STOP_GRACE = { stdinMs: 0, termMs: 500, killMs: 1_000 }
const MAX_LINES = 50
const DRAIN_MS = 250

/** Runs a program for its output, for at most `limitMs` and until `signal` is aborted; never rejects. */
export async function queryProgram(
  spec: ChildSpec,
  limitMs: number,
  signal?: AbortSignal,
  maxLines = MAX_LINES,
): Promise<ProgramResponse> {
  const lines: string[] = []
  const addLine = (line: string): void => {
    if (lines.length < maxLines) lines.push(line)
  }
  try {
    const child = await spawnChild(spec, addLine)
    const drained = drainLines(child.stdout, addLine)
    child.stdin.end()
    const aborted = Promise.withResolvers<undefined>()
    using _aborting = signal && addAbortListener(signal, () => aborted.resolve(undefined))
    const exit = await within(
      limitMs,
      Promise.race([child.exited, aborted.promise]),
      () => undefined,
    )
    const stopped = new GracefulStop(child, STOP_GRACE).stop()
    if (exit === undefined) {
      await stopped
      return { kind: 'silent' }
    }
    // A process that inherited its pipe may live on.
    await within(DRAIN_MS, Promise.all([drained, child.drainStderr()]), () => undefined)
    return { kind: 'answered', code: exit.code, text: lines.join('\n') }
  } catch (error) {
    return { kind: 'failed', reason: errorMessage(error) }
  }
}

/** Caches successful responses of programs while their file stays the same. */
export class ResponseCache {
  readonly #cache = new Map<string, Promise<string | undefined>>()

  /** Returns what `read` finds in the response; undefined if it finds nothing or there is none. */
  async query(
    spec: ChildSpec,
    limitMs: number,
    read: (text: string) => string | undefined,
    shouldSkipCache = false,
  ): Promise<string | undefined> {
    const { mtimeMs } = (await stat(spec.command).catch(() => undefined)) ?? {}
    const key = JSON.stringify([spec.command, spec.args, mtimeMs])
    const cached = shouldSkipCache ? undefined : this.#cache.get(key)
    if (cached) return cached
    const request = queryProgram(spec, limitMs).then((response) => {
      const found =
        response.kind === 'answered' && response.code === 0 ? read(response.text) : undefined
      if (found === undefined) this.#cache.delete(key)
      return found
    })
    this.#cache.set(key, request)
    return request
  }
}
