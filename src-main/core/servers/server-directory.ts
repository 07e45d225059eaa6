import pLimit, { type LimitFunction } from 'p-limit'

import { AppError } from '../../../src-shared/domain/app-error'
import type { Installation } from '../../../src-shared/domain/installation/installation'
import type { LogEntry } from '../../../src-shared/domain/running/log-entry'
import type { Settings } from '../../../src-shared/domain/state/settings'
import { PackageInstaller } from '../launch/downloads/package-installer'
import { Emitter } from '../lifecycle/emitter'
import { NetworkWatch } from '../lifecycle/network-watch'
import { systemTime } from '../lifecycle/system-time'
import { WakeWatch } from '../lifecycle/wake-watch'
import { WorkPace } from '../lines/work-pace'
import { LogBuffer } from '../log/log-buffer'
import type { LogMemory } from '../log/store/log-memory'
import type { ServerRequests } from '../mcp/elicitation/server-requests'
import type { ServerNews, SessionNews } from '../mcp/notifications'
import type { MessageTap } from '../mcp/peer/connection'
import type { Timekeeper } from '../ports'
import { Server } from './server'
import { SessionSupervisor, type SupervisorOptions } from './session-supervisor'
import type { PreparedLaunch } from './start/launch'

export type ServerDirectoryOptions = {
  readonly installationOf: (installationId: string) => Installation | undefined
  readonly prepare: (installationId: string, log: LogBuffer) => Promise<PreparedLaunch>
  /** Read anew for every decision. */
  readonly settings: () => Settings
  readonly clientVersion: string
  /** Answers the requests of a server; missing where nothing can. */
  readonly serverRequests?: ((installationId: string, log: LogBuffer) => ServerRequests) | undefined
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

/** What a server said unasked, by its id. */
export type NewsOf = { readonly installationId: string; readonly news: ServerNews }

/** Every installed server by its id, with what all share: slots and downloads. */
export class ServerDirectory {
  readonly #servers = new Map<string, Server>()
  readonly #installer: PackageInstaller
  readonly #slots: LimitFunction
  readonly #pace = new WorkPace()
  readonly #time: Timekeeper
  readonly #wake: WakeWatch
  readonly #network: NetworkWatch
  readonly #notified = new Emitter<NewsOf>()
  readonly #began = new Emitter<{ installationId: string; news: SessionNews }>()
  #isClosed = false

  /** As `Server.onDidNotify`, of every server. */
  readonly onDidNotify = this.#notified.event
  /** As `Server.onDidBegin`, of every server. */
  readonly onDidBegin = this.#began.event

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
    for (const { supervisor } of this.all()) supervisor.settingsChanged()
  }

  /** Makes place for an installation, stopped. */
  add(installationId: string): void {
    const { options } = this
    const log = new LogBuffer((entry) => options.onDidAppend(installationId, entry), {
      pace: this.#pace,
      memory: options.logMemory,
    })
    const serverRequests = options.serverRequests?.(installationId, log)
    const server = new Server({
      installation: () => options.installationOf(installationId),
      log,
      serverRequests,
      live: (onDidChange) => this.#supervise(installationId, { log, serverRequests, onDidChange }),
    })
    server.onDidChange(() => options.onDidChange(installationId))
    server.onDidNotify((news) => this.#notified.emit({ installationId, news }))
    server.onDidBegin((news) => this.#began.emit({ installationId, news }))
    this.#servers.set(installationId, server)
    if (this.#isClosed) void server.supervisor.end()
  }

  /** Calls `listener` when the computer has slept. */
  onDidWake(listener: () => void): Disposable {
    return this.#wake.onDidWake(listener)
  }

  /** The system reports that the computer has slept: connections may be gone, and are probed. */
  reportWake(): void {
    this.#wake.reportWake()
  }

  find(installationId: string): Server | undefined {
    return this.#servers.get(installationId)
  }

  all(): Server[] {
    return [...this.#servers.values()]
  }

  /** Throws NOT_FOUND. */
  read(installationId: string): Server {
    const server = this.#servers.get(installationId)
    if (server) return server
    throw new AppError('NOT_FOUND', 'This server is no longer in the list.', {
      hint: 'Another window may have removed it.',
    })
  }

  /** Settles when no process of the server is left. */
  async stop(installationId: string): Promise<void> {
    await this.read(installationId).supervisor.stop()
  }

  /** Takes a server out once no process of it is left. */
  async remove(installationId: string): Promise<void> {
    const server = this.#servers.get(installationId)
    await server?.supervisor.end()
    this.#servers.delete(installationId)
    server?.[Symbol.dispose]()
  }

  /** Stops every server and download side by side; from now on nothing starts. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([
      this.#installer.close(),
      ...this.all().map(({ supervisor }) => supervisor.end()),
    ])
    for (const one of [...this.all(), this.#notified, this.#began]) one[Symbol.dispose]()
    this.#network[Symbol.dispose]()
    this.#wake[Symbol.dispose]()
  }

  #supervise(
    installationId: string,
    own: Pick<SupervisorOptions, 'log' | 'serverRequests' | 'onDidChange'> & {
      readonly log: LogBuffer
    },
  ): SessionSupervisor {
    const { options } = this
    return new SessionSupervisor({
      ...own,
      prepare: () => options.prepare(installationId, own.log),
      installer: this.#installer,
      slots: this.#slots,
      clientVersion: options.clientVersion,
      openTap: () => options.openTap?.(installationId),
      settings: options.settings,
      time: this.#time,
      wake: this.#wake,
      network: this.#network,
      unapplied: options.unapplied && {
        of: () => options.unapplied?.of(installationId) ?? [],
        note: (reason) => options.unapplied?.note(installationId, reason),
      },
    })
  }
}
