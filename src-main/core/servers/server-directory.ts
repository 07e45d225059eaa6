import pLimit, { type LimitFunction } from 'p-limit'

import { AppError } from '../../../src-shared/domain/app-error'
import type { LogEntry } from '../../../src-shared/domain/running/log-entry'
import type { Settings } from '../../../src-shared/domain/state/settings'
import { PackageInstaller } from '../launch/downloads/package-installer'
import { NetworkWatch } from '../lifecycle/network-watch'
import { systemTime } from '../lifecycle/system-time'
import { WakeWatch } from '../lifecycle/wake-watch'
import { WorkPace } from '../lines/work-pace'
import { LogBuffer } from '../log/log-buffer'
import type { LogMemory } from '../log/store/log-memory'
import type { Timekeeper } from '../ports'
import type { ServerAsks } from '../session/asks/server-asks'
import type { MessageTap } from '../session/messages/message-tap'
import { SessionSupervisor } from './session-supervisor'
import type { PreparedLaunch } from './start/launch'

export type ServerDirectoryOptions = {
  readonly prepare: (installationId: string, log: LogBuffer) => Promise<PreparedLaunch>
  /** Read anew for every decision. */
  readonly settings: () => Settings
  readonly clientVersion: string
  /** Answers what a server asks for; missing where nobody can. */
  readonly asks?: ((installationId: string, log: LogBuffer) => ServerAsks) | undefined
  /** Begins to take note of the messages of another session of a server; missing where nobody does. */
  readonly openTap?: ((installationId: string) => MessageTap | undefined) | undefined
  readonly onDidChange: (installationId: string) => void
  /** What is told as not in use yet; see `SupervisorOptions`. */
  readonly unapplied?:
    | {
        of(installationId: string): readonly string[]
        note(installationId: string, reason: string): void
      }
    | undefined
  /** The time of this computer where none is given. */
  readonly time?: Timekeeper
  readonly onDidAppend: (installationId: string, entry: LogEntry) => void
  /** Bounds the lines of all logs together; each log is bounded alone where it is missing. */
  readonly logMemory?: LogMemory | undefined
}

type Server = {
  readonly supervisor: SessionSupervisor
  readonly log: LogBuffer
  readonly asks: ServerAsks | undefined
}

/** Every installation's supervisor and log, by id, with what all servers share: slots and downloads. */
export class ServerDirectory {
  readonly #servers = new Map<string, Server>()
  readonly #installer: PackageInstaller
  readonly #slots: LimitFunction
  readonly #pace = new WorkPace()
  readonly #time: Timekeeper
  readonly #wake: WakeWatch
  readonly #network: NetworkWatch
  #isClosed = false

  constructor(private readonly options: ServerDirectoryOptions) {
    const { spawnSlots, installSlots } = options.settings()
    this.#slots = pLimit(spawnSlots)
    this.#installer = new PackageInstaller(installSlots)
    this.#time = options.time ?? systemTime
    this.#wake = new WakeWatch(this.#time)
    this.#network = new NetworkWatch(this.#time, this.#wake)
  }

  /** Brings changed settings to what runs; everything else reads them when it next decides. */
  settingsChanged(): void {
    const { installSlots, spawnSlots } = this.options.settings()
    this.#slots.concurrency = spawnSlots
    this.#installer.setSlots(installSlots)
    for (const { supervisor } of this.#servers.values()) supervisor.settingsChanged()
  }

  /** Makes place for an installation, stopped. */
  add(installationId: string): void {
    const { options } = this
    const log = new LogBuffer((entry) => options.onDidAppend(installationId, entry), {
      pace: this.#pace,
      memory: options.logMemory,
    })
    const asks = options.asks?.(installationId, log)
    const supervisor = new SessionSupervisor({
      prepare: () => options.prepare(installationId, log),
      installer: this.#installer,
      slots: this.#slots,
      log,
      clientVersion: options.clientVersion,
      asks,
      openTap: () => options.openTap?.(installationId),
      settings: options.settings,
      time: this.#time,
      wake: this.#wake,
      network: this.#network,
      unapplied: options.unapplied && {
        of: () => options.unapplied?.of(installationId) ?? [],
        note: (reason) => options.unapplied?.note(installationId, reason),
      },
      onDidChange: () => options.onDidChange(installationId),
    })
    this.#servers.set(installationId, { supervisor, log, asks })
    if (this.#isClosed) void supervisor.end()
  }

  find(installationId: string): SessionSupervisor | undefined {
    return this.#servers.get(installationId)?.supervisor
  }

  findAsks(installationId: string): ServerAsks | undefined {
    return this.#servers.get(installationId)?.asks
  }

  findLog(installationId: string): LogBuffer | undefined {
    return this.#servers.get(installationId)?.log
  }

  /** Of all servers. */
  logs(): LogBuffer[] {
    return [...this.#servers.values()].map(({ log }) => log)
  }

  /** Throws NOT_FOUND. */
  read(installationId: string): Server {
    const server = this.#servers.get(installationId)
    if (server) return server
    throw new AppError('NOT_FOUND', 'This server is no longer in the list.', {
      hint: 'It may have been removed in another window.',
    })
  }

  /** Settles when no process of the server is left. */
  async stop(installationId: string): Promise<void> {
    await this.read(installationId).supervisor.stop()
  }

  /** Takes a server out once no process of it is left. */
  async remove(installationId: string): Promise<void> {
    await this.#servers.get(installationId)?.supervisor.end()
    this.#servers.delete(installationId)
  }

  /** Stops every server and download side by side; from now on nothing starts. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([
      this.#installer.close(),
      ...[...this.#servers.values()].map(({ supervisor }) => supervisor.end()),
    ])
    this.#network[Symbol.dispose]()
    this.#wake[Symbol.dispose]()
  }
}
