import { rmSync } from 'node:fs'

import pLimit from 'p-limit'

import type { GatewayStatus } from '../../../src-shared/domain/agents/agent'
import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import { messageOf } from '../failure/describe-failure'
import { ErrorLatch } from '../failure/error-latch'
import { background } from '../lifecycle/background'
import { Emitter } from '../lifecycle/emitter'
import { LOOPBACK } from '../listener/bind-loopback'
import type { Timekeeper } from '../ports'
import { writeOwnJson } from '../storage/own-file'
import type { AgentStore } from './agents/agent-store'
import type { GatewayListener } from './gateway-listener'

export type GatewayOptions = {
  readonly agents: Pick<AgentStore, 'agents' | 'onDidChange' | 'usesHttp'>
  /** The port to listen on; 0 picks a free one. */
  readonly port: () => number
  /** Absolute path of the file with the gateway's address, for the bridge. */
  readonly addressFile: string
  readonly platform: NodeJS.Platform
  /** Opens the listener; rejects with the system's error. */
  readonly open: (port: number) => Promise<GatewayListener>
  readonly time: Pick<Timekeeper, 'after'>
  /** Another program has the port; undefined once that is resolved or irrelevant. */
  readonly onBusy: (busy: BusyPort | undefined) => void
  /** The port changed, and agents connected over HTTP were cut; gets the new address. */
  readonly onMoved: (url: string) => void
  /** Why the bridge can't find the gateway, as a sentence; undefined once it can. */
  readonly onLost: (message: string | undefined) => void
}

/** A port that another program has. `url` is the gateway's substitute address; absent while the gateway waits for the port. */
export type BusyPort = { readonly port: number; readonly url?: string }

/** Delays before a busy port is retried, in ms; the last one repeats. */
const RETRY_DELAYS_MS = [1_000, 2_000, 5_000, 10_000, 20_000, 40_000, 60_000] as const
/** Failures after which the gateway picks another port, unless an agent knows this one. */
const MAX_FAILURES = 4
const MAX_ADDRESS_BYTES = 1_024

/** The one gateway for agents: open while there is an agent, at the port of the settings. */
export class Gateway {
  readonly #changed = new Emitter<undefined>()
  readonly #following: Disposable
  readonly #latch: ErrorLatch
  readonly #inTurn = pLimit(1)
  #status: GatewayStatus = { kind: 'off' }
  /** The last requested port; undefined while the gateway should be closed. */
  #port: number | undefined
  #listener: GatewayListener | undefined
  /** Consecutive failures because of a busy port. */
  #failures = 0
  #retryTimer: Disposable | undefined
  #busy: BusyPort | undefined
  #lastUrl: string | undefined
  #isClosed = false

  readonly onDidChange = this.#changed.event

  /** Begins to open if there is an agent; doesn't wait. */
  constructor(private readonly options: GatewayOptions) {
    this.#latch = new ErrorLatch(options.onLost)
    this.#following = options.agents.onDidChange(({ kind, agentId }) => {
      if (kind === 'removed' || kind === 'keyRenewed') this.#listener?.cut(agentId)
      if (kind === 'added' || kind === 'removed') background(this.retry(), 'opening the gateway')
    })
    if (options.agents.agents.length === 0) this.#writeAddress(undefined)
    this.follow()
  }

  get status(): GatewayStatus {
    return this.#status
  }

  connectionsOf(agentId: string): number {
    return this.#listener?.connectionsOf(agentId) ?? 0
  }

  /** Applies a changed port setting. */
  follow(): void {
    background(
      this.#inTurn(() => this.#reconcile(false)),
      'opening the gateway',
    )
  }

  /** Settles when the gateway is as agents and settings want it, or the attempt failed. */
  async settled(): Promise<void> {
    await this.#inTurn(() => undefined)
  }

  /** Tries to open now; settles when the gateway is open or the attempt failed. */
  async retry(): Promise<void> {
    await this.#inTurn(() => this.#reconcile(true))
  }

  /** Closes the gateway and disconnects every agent. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#following[Symbol.dispose]()
    await this.retry()
  }

  /** Opens or closes the gateway according to agents and settings; never rejects. */
  async #reconcile(isRetry: boolean): Promise<void> {
    const { agents, platform, port } = this.options
    const wanted = this.#isClosed || agents.agents.length === 0 ? undefined : port()
    if (wanted === this.#port && !(isRetry && this.#status.kind === 'failed')) return
    this.#retryTimer?.[Symbol.dispose]()
    if (wanted !== this.#port) this.#failures = 0
    this.#port = wanted
    const before = this.#listener
    this.#listener = undefined
    if (before) {
      this.#writeAddress(undefined)
      await before.close()
    }
    if (wanted === undefined) {
      this.#setBusy(undefined)
      this.#set({ kind: 'off' })
      return
    }
    this.#set({ kind: 'opening' })
    try {
      const listener = await this.#openAt(wanted)
      const { url } = listener
      this.#listener = listener
      this.#writeAddress(url)
      this.#failures = 0
      this.#setBusy(listener.port === wanted ? undefined : { port: wanted, url })
      this.#set({ kind: 'open', url, port: listener.port })
      if (this.#lastUrl !== undefined && this.#lastUrl !== url) this.options.onMoved(url)
      this.#lastUrl = url
    } catch (error) {
      if (isBusy(error)) this.#scheduleRetry(wanted)
      else this.#setBusy(undefined)
      this.#set({ kind: 'failed', port: wanted, error: failureOf(wanted, error, platform) })
    }
  }

  /** Opens at the port, or at a free one if that stays busy and no agent depends on the port. */
  async #openAt(port: number): Promise<GatewayListener> {
    const { agents, open } = this.options
    try {
      return await open(port)
    } catch (error) {
      if (!isBusy(error) || this.#failures < MAX_FAILURES || agents.usesHttp) throw error
      return open(0)
    }
  }

  /** Schedules a retry: the other program may free the port soon, for example a Patchbay that is being replaced. */
  #scheduleRetry(port: number): void {
    const delayMs = RETRY_DELAYS_MS[Math.min(this.#failures, RETRY_DELAYS_MS.length - 1)] ?? 0
    this.#failures += 1
    this.#retryTimer = this.options.time.after(delayMs, () =>
      background(this.retry(), 'opening the gateway'),
    )
    this.#setBusy({ port })
  }

  #setBusy(busy: BusyPort | undefined): void {
    if (busy?.port === this.#busy?.port && busy?.url === this.#busy?.url) return
    this.#busy = busy
    this.options.onBusy(busy)
  }

  #set(status: GatewayStatus): void {
    this.#status = status
    this.#changed.emit(undefined)
  }

  /** Writes or removes the address file. A stale one would lead the bridge to a port of another program. */
  #writeAddress(url: string | undefined): void {
    const { addressFile } = this.options
    try {
      if (url === undefined) rmSync(addressFile, { force: true })
      else writeOwnJson(addressFile, { url, pid: process.pid }, MAX_ADDRESS_BYTES)
      if (url !== undefined) this.#latch.set(undefined)
    } catch (error) {
      this.#latch.set(
        url === undefined
          ? `${addressFile} couldn’t be removed (${messageOf(error)}).`
          : `${addressFile} couldn’t be written (${messageOf(error)}), so "patchbay bridge" can’t find the gateway. Agents that use HTTP still connect.`,
      )
    }
  }
}

function isBusy(cause: unknown): boolean {
  return (cause as NodeJS.ErrnoException).code === 'EADDRINUSE'
}

function failureOf(port: number, cause: unknown, platform: NodeJS.Platform): AppErrorShape {
  const where = `port ${String(port)} on ${LOOPBACK}`
  const code = 'NOT_AVAILABLE_HERE'
  if (!isBusy(cause)) {
    const message = `The gateway can’t use ${where}: ${messageOf(cause)}.`
    return { code, message, hint: 'Choose another port.' }
  }
  const command =
    platform === 'win32'
      ? `netstat -ano | findstr :${String(port)}`
      : platform === 'darwin'
        ? `lsof -nP -iTCP:${String(port)} -sTCP:LISTEN`
        : `ss -ltnp "sport = :${String(port)}"`
  const hint = `Patchbay keeps trying. Quit that program, or choose another port. To find the program, run ${command}; it may belong to another account.`
  return { code, message: `Another program uses ${where}.`, hint }
}
