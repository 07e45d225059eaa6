import { rmSync } from 'node:fs'

import pLimit from 'p-limit'

import type { GatewayStatus } from '../../../src-shared/domain/agents/agent'
import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import { messageOf } from '../failure/describe-failure'
import { Emitter } from '../lifecycle/emitter'
import { LOOPBACK } from '../listener/bind-loopback'
import { writeOwnJson } from '../storage/own-file'
import type { AgentEvent, AgentStore } from './agents/agent-store'
import type { GatewayListener } from './gateway-listener'

export type GatewayOptions = {
  readonly agents: Pick<AgentStore, 'agents' | 'onDidChange'>
  /** Where it is to be; 0 takes a free one. */
  readonly port: () => number
  /** Absolute path of the file that tells the bridge where the gateway is. */
  readonly addressFile: string
  readonly platform: NodeJS.Platform
  /** Opens the door; rejects with the system's error. */
  readonly open: (port: number) => Promise<GatewayListener>
  /** It is at another port than before, and agents that connect over HTTP were cut. */
  readonly onMoved: (url: string) => void
  /** The bridge cannot find it: a sentence; undefined once it can. */
  readonly onTrouble: (message: string | undefined) => void
}

const MOST_ADDRESS_BYTES = 1_024

/** The one endpoint for agents: open while there is an agent, at the port that the settings name. */
export class Gateway {
  readonly #options: GatewayOptions
  readonly #changed = new Emitter<undefined>()
  readonly #following: Disposable
  /** One opening or closing after the other. */
  readonly #inTurn = pLimit(1)
  #status: GatewayStatus = { kind: 'off' }
  #door: { readonly wanted: number; readonly listener: GatewayListener } | undefined
  #lastUrl: string | undefined
  #isClosed = false
  #isTroubled = false

  readonly onDidChange = this.#changed.event

  /** Begins to open where there is an agent; waits for nothing. */
  constructor(options: GatewayOptions) {
    this.#options = options
    this.#following = options.agents.onDidChange((event) => this.#agentChanged(event))
    if (this.#wanted() === undefined) this.#forgetAddress()
    this.follow()
  }

  get status(): GatewayStatus {
    return this.#status
  }

  /** Open connections of an agent. */
  connectionsOf(agentId: string): number {
    return this.#door?.listener.connectionsOf(agentId) ?? 0
  }

  /** The settings may name another port. */
  follow(): void {
    const { status } = this
    const wanted = this.#wanted()
    const isAsWanted =
      this.#inTurn.activeCount === 0 &&
      (status.kind === 'failed' ? status.port === wanted : this.#door?.wanted === wanted)
    if (!isAsWanted) void this.#inTurn(() => this.#settle())
  }

  /** Tries to open it now; settles when it is open, or failed again. */
  async retry(): Promise<void> {
    await this.#inTurn(() => this.#settle())
  }

  /** Cuts every agent. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#following[Symbol.dispose]()
    await this.#inTurn(() => this.#settle())
  }

  #agentChanged({ kind, agentId }: AgentEvent): void {
    if (kind === 'removed' || kind === 'keyRenewed') this.#door?.listener.cut(agentId)
    if (kind === 'added' || kind === 'removed') void this.#inTurn(() => this.#settle())
  }

  #wanted(): number | undefined {
    const { agents, port } = this.#options
    return this.#isClosed || agents.agents.length === 0 ? undefined : port()
  }

  /** Makes it as it is wanted; never rejects. */
  async #settle(): Promise<void> {
    const wanted = this.#wanted()
    if (this.#door && this.#door.wanted === wanted) return
    await this.#shut()
    if (wanted === undefined) this.#set({ kind: 'off' })
    else await this.#open(wanted)
  }

  async #open(wanted: number): Promise<void> {
    this.#set({ kind: 'opening' })
    try {
      const listener = await this.#options.open(wanted)
      this.#door = { wanted, listener }
    } catch (error) {
      this.#set({
        kind: 'failed',
        port: wanted,
        error: failureOf(wanted, error, this.#options.platform),
      })
      return
    }
    const { url, port } = this.#door.listener
    this.#tellAddress(url)
    this.#set({ kind: 'open', url, port })
    if (this.#lastUrl !== undefined && this.#lastUrl !== url) this.#options.onMoved(url)
    this.#lastUrl = url
  }

  async #shut(): Promise<void> {
    const door = this.#door
    if (!door) return
    this.#door = undefined
    this.#forgetAddress()
    await door.listener.close()
  }

  #set(status: GatewayStatus): void {
    this.#status = status
    this.#changed.emit(undefined)
  }

  #tellAddress(url: string): void {
    const { addressFile, onTrouble } = this.#options
    try {
      writeOwnJson(addressFile, { url, pid: process.pid }, MOST_ADDRESS_BYTES)
      if (this.#isTroubled) onTrouble(undefined)
      this.#isTroubled = false
    } catch (error) {
      this.#isTroubled = true
      onTrouble(
        `${addressFile} couldn’t be written (${messageOf(error)}), so "patchbay bridge" can’t find the gateway. Agents that use HTTP still connect.`,
      )
    }
  }

  /** One that is left behind leads the bridge to a port that may be another program's by now. */
  #forgetAddress(): void {
    const { addressFile, onTrouble } = this.#options
    try {
      rmSync(addressFile, { force: true })
    } catch (error) {
      this.#isTroubled = true
      onTrouble(`${addressFile} couldn’t be removed (${messageOf(error)}).`)
    }
  }
}

/** What a person reads who wonders why agents find nothing. */
function failureOf(port: number, cause: unknown, platform: NodeJS.Platform): AppErrorShape {
  const where = `port ${String(port)} on ${LOOPBACK}`
  if ((cause as NodeJS.ErrnoException).code !== 'EADDRINUSE')
    return {
      code: 'NOT_AVAILABLE_HERE',
      message: `The gateway can’t use ${where}: ${messageOf(cause)}.`,
      hint: 'Choose another port.',
    }
  return {
    code: 'NOT_AVAILABLE_HERE',
    message: `Another program uses ${where}.`,
    hint: `Quit that program and try again, or choose another port. To find the program, run ${whoUses(port, platform)}.`,
  }
}

/** The command that tells which program listens on a port. */
function whoUses(port: number, platform: NodeJS.Platform): string {
  if (platform === 'win32') return `netstat -ano | findstr :${String(port)}`
  if (platform === 'darwin') return `lsof -nP -iTCP:${String(port)} -sTCP:LISTEN`
  return `ss -ltnp "sport = :${String(port)}"`
}
