import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

import { AppError } from '../../../../src-shared/domain/app-error'
import { exitError } from '../../failure/describe-failure'
import type { ChildExit, RunningChild, Traffic } from '../../process/spawn/child-process'
import { DEFAULT_STOP_GRACE, GracefulStop, type StopGrace } from '../../process/spawn/graceful-stop'
import type { ProcessTree } from '../../process/tree/process-tree'
import type { JsonObject } from '../json/json-rpc'
import type { Connection, PostOptions, Receiver } from '../peer/connection'
import { isCut } from './remote-fetch'

/** The wait between two looks at a port, in ms. */
const LOOK_MS = 100
const ATTEMPT_MS = 2_000
/** What stands before a server that is not up yet, as docker does, takes a connection and cuts it immediately; in ms. */
const HOLD_MS = 100
/** How long after a connection was cut the exit behind it is waited for, in ms. */
const EXIT_WAIT_MS = 250
/** The same after an answer was cut in the middle: the child did work, and may still have something to write. */
const CUT_WAIT_MS = 1_000
/** The wait before a request is sent again to what only stands before a server, in ms. */
const RETRY_MS = 250
/** Statuses of what stands before a server that is not up. */
const NOT_UP = [502, 503]
/** It reads no stdin whose end could end it, so that the time for that is given to SIGTERM. */
const GRACE: StopGrace = {
  ...DEFAULT_STOP_GRACE,
  stdinMs: 0,
  termMs: DEFAULT_STOP_GRACE.stdinMs + DEFAULT_STOP_GRACE.termMs,
}

export type LocalHttpOptions = {
  /** Whatever the child writes to its stdout: this one speaks elsewhere. */
  readonly onOutput: (chunk: Buffer) => void
  readonly onWarning: (message: string) => void
}

/** A child that serves HTTP on this computer, and the connection to it: the two live and end together. */
export class LocalHttpConnection implements Connection {
  readonly isAlone = true
  readonly ended: Promise<void>
  readonly #child: RunningChild
  readonly #http: Connection
  readonly #end: GracefulStop
  #exit: ChildExit | undefined
  #stopping: Promise<void> | undefined

  constructor(child: RunningChild, http: Connection, options: LocalHttpOptions) {
    this.#child = child
    this.#http = http
    this.#end = new GracefulStop(child, GRACE, options.onWarning)
    child.stdout.on('data', options.onOutput)
    this.ended = this.#closeWithChild()
  }

  get pid(): number {
    return this.#child.pid
  }

  get tree(): ProcessTree {
    return this.#child.tree
  }

  get exit(): ChildExit | undefined {
    return this.#exit
  }

  get heardAt(): number {
    return this.#http.heardAt
  }

  get traffic(): Traffic {
    return this.#http.traffic
  }

  get hasRequestStreams(): boolean {
    return this.#http.hasRequestStreams
  }

  get isStopping(): boolean {
    return this.#stopping !== undefined
  }

  attach(receiver: Receiver): void {
    this.#http.attach(receiver)
  }

  open(): Promise<void> {
    return this.#http.open()
  }

  post(message: JsonObject, text: string, options: PostOptions): void {
    this.#http.post(message, text, options)
  }

  abandon(id: number, isLost: boolean): void {
    this.#http.abandon(id, isLost)
  }

  setPaused(isPaused: boolean): void {
    this.#http.setPaused(isPaused)
  }

  setProtocolVersion(version: string): void {
    this.#http.setProtocolVersion(version)
  }

  close(): Promise<void> {
    return this.#http.close()
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  escalate(): void {
    this.#http.escalate()
    void this.#end.escalate()
  }

  endReason(when: string): AppError {
    return this.#exit ? exitError(this.#exit, when) : this.#http.endReason(when)
  }

  explain(error: unknown): AppError | undefined {
    return this.#exit ? exitError(this.#exit, 'while in use') : this.#http.explain(error)
  }

  async #stop(): Promise<void> {
    // The end of its session may be what it hangs on.
    await Promise.all([this.#http.stop(), this.#end.stop()])
  }

  async #closeWithChild(): Promise<void> {
    this.#exit = await this.#child.exited
    await this.#child.drainStderr()
    await this.#http.close()
  }
}

/**
 * The `fetch` of a child that serves HTTP on this computer: no proxy stands between, until the first real answer it is
 * asked again as long as the child lives and the caller waits, and what fails as it ends is told by how it ended.
 * `onNotUp` is told once of a status that counts as none.
 */
export function servedFetch(
  child: Pick<RunningChild, 'exited'>,
  onNotUp: (status: number) => void,
): typeof globalThis.fetch {
  let isUp = false
  let isTold = false
  const sent = async (...[input, init]: Parameters<typeof globalThis.fetch>) => {
    const response = await globalThis.fetch(input, init)
    isUp ||= !NOT_UP.includes(response.status)
    if (isUp) return response
    await response.body?.cancel()
    if (!isTold) onNotUp(response.status)
    isTold = true
    return undefined
  }
  return async (input, init) => {
    const signal = init?.signal ?? undefined
    for (;;) {
      try {
        const response = await sent(input, init)
        if (response) return readWithChild(response, child, signal)
      } catch (error) {
        const isOver = signal?.aborted === true || (await exits(child, EXIT_WAIT_MS))
        if (isUp || isOver || !isNotUp(error)) throw error
      }
      await delay(RETRY_MS, undefined, { signal })
    }
  }
}

/** The same answer, whose cut is told once it is known whether the child ends. */
function readWithChild(
  response: Response,
  child: Pick<RunningChild, 'exited'>,
  signal: AbortSignal | undefined,
): Response {
  const { body, status, statusText, headers, url } = response
  if (!body) return response
  async function* parts(whole: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* whole
    } catch (error) {
      if (signal?.aborted !== true) await exits(child, CUT_WAIT_MS)
      throw error
    }
  }
  const read = new Response(ReadableStream.from(parts(body)), { status, statusText, headers })
  return Object.defineProperty(read, 'url', { value: url })
}

/** Whether the child is gone, or goes within `withinMs`. */
async function exits({ exited }: Pick<RunningChild, 'exited'>, withinMs: number): Promise<boolean> {
  const limit = new AbortController()
  const waiting = delay(withinMs, false, { signal: limit.signal }).catch(() => false) // aborted: it has exited
  const hasExited = await Promise.race([exited.then(() => true), waiting])
  limit.abort()
  return hasExited
}

function isNotUp(error: unknown): boolean {
  const { cause } = error instanceof Error ? error : {}
  return isCut(error) || (cause as { code?: unknown } | undefined)?.code === 'ECONNREFUSED'
}

/** Whether something answers at the host and port of an address, and does not hang up within `holdMs`. */
export function isAnswered(url: URL, holdMs = 0): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: hostOf(url), port: portOf(url), timeout: ATTEMPT_MS })
    let hold: NodeJS.Timeout | undefined
    const settle = (answered: boolean): void => {
      clearTimeout(hold)
      socket.destroy()
      resolve(answered)
    }
    socket.once('connect', () => (hold = setTimeout(() => settle(true), holdMs)))
    socket.once('timeout', () => settle(false))
    socket.on('error', () => settle(false))
    socket.once('end', () => settle(false)).resume()
  })
}

/** Settles when something answers there and stays, or when `signal` is aborted. */
export async function awaitPort(url: URL, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && !(await isAnswered(url, HOLD_MS)))
    await delay(LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined) // aborted: nobody waits
}

/** What is answered before a server has begun would be taken for the server: throws SPAWN_FAILED. */
export async function checkPortIsFree(url: URL): Promise<void> {
  if (!(await isAnswered(url))) return
  throw new AppError(
    'SPAWN_FAILED',
    `Not started: another program already responds at ${url.host}.`,
    {
      hint: 'End that program, or choose another port under Configure. Then start the server again.',
    },
  )
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '')
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
}
