import { rmSync } from 'node:fs'

import pLimit from 'p-limit'

import type { GatewayStatus } from '../../../src-shared/domain/agents/agent'
import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import { messageOf } from '../failure/describe-failure'
import { Emitter } from '../lifecycle/emitter'
import { Trouble } from '../lifecycle/trouble'
import { LOOPBACK } from '../listener/bind-loopback'
import { writeOwnJson } from '../storage/own-file'
import type { AgentEvent, AgentStore } from './agents/agent-store'
import type { GatewayListener } from './gateway-listener'

export type GatewayOptions = {
  readonly agents: Pick<AgentStore, 'agents' | 'onDidChange'>
  /** Where it listens; 0 takes a free one. */
  readonly port: () => number
  /** Absolute path of the file that tells the bridge where the gateway is. */
  readonly addressFile: string
  readonly platform: NodeJS.Platform
  /** Rejects with the system's error. */
  readonly open: (port: number) => Promise<GatewayListener>
  /** The port changed, and agents that connect over HTTP were cut. */
  readonly onMoved: (url: string) => void
  /** Why the bridge cannot find the gateway, as a sentence; undefined once it can. */
  readonly onTrouble: (message: string | undefined) => void
}

const MAX_ADDRESS_BYTES = 1_024

/** The one endpoint for agents: open while there is an agent, at the port that the settings name. */
export class Gateway {
  readonly #options: GatewayOptions
  readonly #changed = new Emitter<undefined>()
  readonly #following: Disposable
  readonly #trouble: Trouble
  /** One opening or closing after the other. */
  readonly #inTurn = pLimit(1)
  #status: GatewayStatus = { kind: 'off' }
  /** The port that was wanted last; undefined while the gateway is to be off. */
  #port: number | undefined
  #listener: GatewayListener | undefined
  #lastUrl: string | undefined
  #isClosed = false

  readonly onDidChange = this.#changed.event

  /** Begins to open where there is an agent; waits for nothing. */
  constructor(options: GatewayOptions) {
    this.#options = options
    this.#trouble = new Trouble(options.onTrouble)
    this.#following = options.agents.onDidChange((event) => this.#agentChanged(event))
    if (options.agents.agents.length === 0) this.#writeAddress(undefined)
    this.follow()
  }

  get status(): GatewayStatus {
    return this.#status
  }

  connectionsOf(agentId: string): number {
    return this.#listener?.connectionsOf(agentId) ?? 0
  }

  /** The settings may name another port. */
  follow(): void {
    void this.#inTurn(() => this.#settle(false))
  }

  /** Tries to open it now; settles when it is open, or failed again. */
  async retry(): Promise<void> {
    await this.#inTurn(() => this.#settle(true))
  }

  /** Cuts every agent. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#following[Symbol.dispose]()
    await this.retry()
  }

  #agentChanged({ kind, agentId }: AgentEvent): void {
    if (kind === 'removed' || kind === 'keyRenewed') this.#listener?.cut(agentId)
    if (kind === 'added' || kind === 'removed') void this.retry()
  }

  /** Opens or closes, as the agents and the settings want it; never rejects. */
  async #settle(isRetry: boolean): Promise<void> {
    const { agents, onMoved, open, platform, port } = this.#options
    const wanted = this.#isClosed || agents.agents.length === 0 ? undefined : port()
    if (wanted === this.#port && !(isRetry && this.#status.kind === 'failed')) return
    this.#port = wanted
    const before = this.#listener
    this.#listener = undefined
    if (before) {
      this.#writeAddress(undefined)
      await before.close()
    }
    if (wanted === undefined) {
      this.#set({ kind: 'off' })
      return
    }
    this.#set({ kind: 'opening' })
    try {
      const listener = await open(wanted)
      const { url } = listener
      this.#listener = listener
      this.#writeAddress(url)
      this.#set({ kind: 'open', url, port: listener.port })
      if (this.#lastUrl !== undefined && this.#lastUrl !== url) onMoved(url)
      this.#lastUrl = url
    } catch (error) {
      this.#set({ kind: 'failed', port: wanted, error: failureOf(wanted, error, platform) })
    }
  }

  #set(status: GatewayStatus): void {
    this.#status = status
    this.#changed.emit(undefined)
  }

  /** A file that is left behind would lead the bridge to a port that may be another program's by now. */
  #writeAddress(url: string | undefined): void {
    const { addressFile } = this.#options
    try {
      if (url === undefined) rmSync(addressFile, { force: true })
      else writeOwnJson(addressFile, { url, pid: process.pid }, MAX_ADDRESS_BYTES)
      if (url !== undefined) this.#trouble.tell(undefined)
    } catch (error) {
      this.#trouble.tell(
        url === undefined
          ? `${addressFile} couldn’t be removed (${messageOf(error)}).`
          : `${addressFile} couldn’t be written (${messageOf(error)}), so "patchbay bridge" can’t find the gateway. Agents that use HTTP still connect.`,
      )
    }
  }
}

function failureOf(port: number, cause: unknown, platform: NodeJS.Platform): AppErrorShape {
  const where = `port ${String(port)} on ${LOOPBACK}`
  const code = 'NOT_AVAILABLE_HERE'
  if ((cause as NodeJS.ErrnoException).code !== 'EADDRINUSE') {
    const message = `The gateway can’t use ${where}: ${messageOf(cause)}.`
    return { code, message, hint: 'Choose another port.' }
  }
  const command =
    platform === 'win32'
      ? `netstat -ano | findstr :${String(port)}`
      : platform === 'darwin'
        ? `lsof -nP -iTCP:${String(port)} -sTCP:LISTEN`
        : `ss -ltnp "sport = :${String(port)}"`
  const hint = `Quit that program and try again, or choose another port. To find the program, run ${command}.`
  return { code, message: `Another program uses ${where}.`, hint }
}
