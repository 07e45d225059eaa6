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
import { TimeSlicer } from '../lines/time-slicer'
import { LogBuffer } from '../log/log-buffer'
import type { LogMemory } from '../log/store/log-memory'
import type { ServerRequests } from '../mcp/elicitation/server-requests'
import type { ServerNotification, SessionNotifications } from '../mcp/notifications'
import type { MessageTap } from '../mcp/peer/connection'
import type { Timekeeper } from '../ports'
import { Server } from './server'
import { type InstanceOwner, type InstanceParts, ServerInstances } from './server-instances'
import { SessionCounts } from './session-counts'
import { SessionSupervisor, type SupervisorOptions } from './session-supervisor'
import type { PreparedLaunch } from './start/launch'

export type ServerDirectoryOptions = {
  readonly installationOf: (installationId: string) => Installation | undefined
  /** `isInstance`: besides the process that all share, which `prepare` was called for before. */
  readonly prepare: (
    installationId: string,
    log: LogBuffer,
    isInstance: boolean,
  ) => Promise<PreparedLaunch>
  /** Read anew for every decision. */
  readonly settings: () => Settings
  readonly clientVersion: string
  /** Answers the requests of a server; missing where nothing can. */
  readonly serverRequests?:
    | ((
        installationId: string,
        log: LogBuffer,
        appRoots?: InstanceParts['roots'],
      ) => ServerRequests)
    | undefined
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

/** Lines of an instance that tell why it failed: all of them are in the log of its server. */
const INSTANCE_LOG = { lines: 1_000, bytes: 1_000_000 }

/** What a server said unasked, by its id. */
export type NotificationOf = {
  readonly installationId: string
  /** As `ServerInstances.keyOf`. */
  readonly key: string
  /** For whom it is, of an instance. */
  readonly owner?: InstanceOwner | undefined
  readonly news: ServerNotification
}

/** Every installed server by its id, with what all share: slots and downloads. */
export class ServerDirectory {
  readonly #servers = new Map<string, Server>()
  readonly #installer: PackageInstaller
  readonly #slots: LimitFunction
  readonly #pace = new TimeSlicer()
  readonly #time: Timekeeper
  readonly #wake: WakeWatch
  readonly #network: NetworkWatch
  readonly #notified = new Emitter<NotificationOf>()
  readonly #began = new Emitter<{
    installationId: string
    key: string
    news: SessionNotifications
  }>()
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
    const counts = new SessionCounts()
    const changed = (): void => {
      server.supervisor.leftoverChanged()
      options.onDidChange(installationId)
    }
    const instances = new ServerInstances<Server>({
      installationId,
      name: () => options.installationOf(installationId)?.name ?? installationId,
      sharing: () => options.installationOf(installationId)?.sharing ?? 'shared',
      open: (instance) => this.#openInstance(installationId, { ...instance, log, counts, changed }),
      time: this.#time,
      onDidChange: changed,
    })
    const own = { log, serverRequests, counts, beside: instances }
    const server = new Server({
      installation: () => options.installationOf(installationId),
      ...{ log, serverRequests, instances },
      live: (onDidChange) =>
        this.#supervise(installationId, {
          ...own,
          onDidChange,
          prepare: () => options.prepare(installationId, log, false),
        }),
    })
    server.onDidChange(() => options.onDidChange(installationId))
    this.#follow(server, { installationId, key: installationId })
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

  /** All servers, and their instances. */
  everyProcess(): Server[] {
    return this.all().flatMap((server) => [server, ...(server.instances?.servers ?? [])])
  }

  /** What `ServerInstances.keyOf` names. */
  findByKey(key: string): Server | undefined {
    const [installationId = ''] = key.split('@')
    const server = this.find(installationId)
    return key === installationId ? server : server?.instances?.find(key)
  }

  /** As `ServerInstances.keyOf`, of a server that may be gone. */
  keyFor(installationId: string, user: InstanceOwner): string {
    return this.find(installationId)?.instances?.keyOf(user) ?? installationId
  }

  /** An agent is gone, or a session of it: so is what it alone uses. */
  endInstances(owner: InstanceOwner): void {
    for (const { instances } of this.all()) instances?.endOf(owner)
  }

  /** As `ServerInstances.rootsChanged`, at every server. */
  rootsChanged(user: InstanceOwner): void {
    for (const { instances } of this.all()) instances?.rootsChanged(user)
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

  #follow(server: Server, of: Omit<NotificationOf, 'news'>): void {
    server.onDidNotify((news) => this.#notified.emit({ ...of, news }))
    server.onDidBegin((news) => this.#began.emit({ ...of, news }))
  }

  /** A process that is one user's: it has the life of any server, and writes to the log of its own. */
  #openInstance(
    installationId: string,
    parts: InstanceParts & {
      readonly log: LogBuffer
      readonly counts: SessionCounts
      readonly changed: () => void
    },
  ): Server {
    const { options } = this
    const { key, owner, label, room, counts } = parts
    const log = new LogBuffer(() => undefined, {
      pace: this.#pace,
      limits: INSTANCE_LOG,
      parent: { log: parts.log, label },
    })
    const serverRequests = options.serverRequests?.(installationId, log, parts.roots)
    const server = new Server({
      // Whoever asks for it may start it: the server serves.
      installation: () => {
        const installation = options.installationOf(installationId)
        return installation && { ...installation, enabled: true, starts: 'onFirstUse' }
      },
      ...{ log, serverRequests },
      live: (onDidChange) =>
        this.#supervise(installationId, {
          ...{ log, serverRequests, counts, onDidChange },
          prepare: async () => {
            await room
            return options.prepare(installationId, log, true)
          },
        }),
    })
    server.onDidChange(parts.changed)
    this.#follow(server, { installationId, key, owner })
    return server
  }

  #supervise(
    installationId: string,
    own: Pick<
      SupervisorOptions,
      'log' | 'serverRequests' | 'onDidChange' | 'prepare' | 'counts' | 'beside'
    >,
  ): SessionSupervisor {
    const { options } = this
    return new SessionSupervisor({
      ...own,
      installer: this.#installer,
      slots: this.#slots,
      clientVersion: options.clientVersion,
      openTap: () => options.openTap?.(installationId),
      settings: options.settings,
      time: this.#time,
      wake: this.#wake,
      network: this.#network,
      // What is not in use yet is told of the server.
      unapplied: own.beside &&
        options.unapplied && {
          of: () => options.unapplied?.of(installationId) ?? [],
          note: (reason) => options.unapplied?.note(installationId, reason),
        },
    })
  }
}
