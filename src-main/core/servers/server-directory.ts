import pLimit from 'p-limit'

import { AppError } from '../../../src-shared/domain/app-error'
import { PackageInstaller } from '../launch/downloads/package-installer'
import { background } from '../lifecycle/background'
import { Emitter } from '../lifecycle/emitter'
import { NetworkWatch } from '../lifecycle/network-watch'
import { systemTime } from '../lifecycle/system-time'
import { WakeWatch } from '../lifecycle/wake-watch'
import { levelOf } from '../lines/line-level'
import type { LogBuffer } from '../log/log-buffer'
import type { ServerRequests } from '../mcp/elicitation/server-requests'
import type { ServerNotification, SessionNotifications } from '../mcp/notifications'
import type { MessageTap } from '../mcp/peer/connection'
import type { Timekeeper } from '../ports'
import { Server, type ServerOptions } from './server'
import { type InstanceOwner, type NewInstance, ServerInstances } from './server-instances'
import type { ServerLogs } from './server-logs'
import { EndingSessions } from './start/ending-sessions'
import type { PreparedLaunch } from './start/launch'
import type { ServerContext, SharedByServers } from './start/launch'
import { ServerStart } from './start/server-start'
import { SessionCounts } from './start/session-counts'

/** The context of all servers, and the handler of their requests. */
export type DirectoryContext = ServerContext & {
  /** Answers a server's requests; absent if none can be answered. */
  readonly serverRequests?:
    | ((installationId: string, log: LogBuffer, appRoots?: NewInstance['roots']) => ServerRequests)
    | undefined
}

/** A notification with its server or instance. */
export type NotificationOf = {
  readonly installationId: string
  /** See `ServerInstances.keyOf`. */
  readonly key: string
  /** Set for an instance. */
  readonly owner?: InstanceOwner | undefined
  readonly notification: ServerNotification
}

/** Options of a start apart from the running server. */
export type SeparateStart = {
  readonly log: LogBuffer
  readonly tap: MessageTap
  readonly vary: (launch: PreparedLaunch) => PreparedLaunch
}

/** All installed servers by id, with the slots and downloads they share. */
export class ServerDirectory {
  readonly #servers = new Map<string, Server>()
  readonly #shared: SharedByServers
  readonly #changed = new Emitter<string>()
  readonly #notified = new Emitter<NotificationOf>()
  readonly #began = new Emitter<{
    installationId: string
    key: string
    notifications: SessionNotifications
  }>()
  #isClosed = false

  /** Fires with the installation's id, also for changes of its instances. */
  readonly onDidChange = this.#changed.event
  /** See `Server.onDidNotify`. */
  readonly onDidNotify = this.#notified.event
  /** See `Server.onDidBegin`. */
  readonly onDidBegin = this.#began.event

  /** `time` defaults to the system's clock. */
  constructor(
    private readonly context: DirectoryContext,
    private readonly logs: ServerLogs,
    time: Timekeeper = systemTime,
  ) {
    const { spawnSlots, installSlots } = context.settings()
    const wake = new WakeWatch(time)
    this.#shared = {
      installer: new PackageInstaller(installSlots),
      slots: pLimit(spawnSlots),
      network: new NetworkWatch(time, wake),
      ...{ time, wake },
    }
  }

  /** Applies changed settings to running servers; everything else reads settings when it needs them. */
  settingsChanged(): void {
    const { installSlots, spawnSlots } = this.context.settings()
    this.#shared.slots.concurrency = spawnSlots
    this.#shared.installer.setSlots(installSlots)
    for (const server of this.all()) server.settingsChanged()
  }

  /** Adds a stopped server. */
  add(installationId: string): void {
    const { installationOf, serverRequests } = this.context
    const log = this.logs.open(installationId)
    const changed = (): void => {
      server.leftoverChanged()
      this.#changed.emit(installationId)
    }
    const instances = new ServerInstances<Server>({
      installationId,
      name: () => installationOf(installationId)?.name ?? installationId,
      sharing: () => installationOf(installationId)?.sharing ?? 'shared',
      open: (instance) => this.#openInstance(server, installationId, instance, changed),
      time: this.#shared.time,
      onDidChange: changed,
    })
    const server = this.#open(
      { installationId, key: installationId },
      {
        ...{ installationId, log, instances },
        serverRequests: serverRequests?.(installationId, log),
      },
    )
    server.onDidChange(() => this.#changed.emit(installationId))
    this.#servers.set(installationId, server)
    if (this.#isClosed) background(server.end(), 'ending a server')
  }

  /** Calls `listener` after the computer has slept. */
  onDidWake(listener: () => void): Disposable {
    return this.#shared.wake.onDidWake(listener)
  }

  /** The system reports a wake: connections may be gone and are probed. */
  reportWake(): void {
    this.#shared.wake.reportWake()
  }

  find(installationId: string): Server | undefined {
    return this.#servers.get(installationId)
  }

  all(): Server[] {
    return [...this.#servers.values()]
  }

  /** All servers and their instances. */
  everyProcess(): Server[] {
    return this.all().flatMap((server) => [server, ...(server.instances?.servers ?? [])])
  }

  /** Finds a server or instance by its key (`ServerInstances.keyOf`). */
  findByKey(key: string): Server | undefined {
    const [installationId = ''] = key.split('@')
    const server = this.find(installationId)
    return key === installationId ? server : server?.instances?.find(key)
  }

  /** Like `ServerInstances.keyOf`, also for a server that may be gone. */
  keyFor(installationId: string, user: InstanceOwner): string {
    return this.find(installationId)?.instances?.keyOf(user) ?? installationId
  }

  /** Ends the instances of an agent or session that is gone. */
  endInstances(owner: InstanceOwner): void {
    for (const { instances } of this.all()) instances?.endOf(owner)
  }

  /** Calls `ServerInstances.rootsChanged` of every server. */
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
    await this.read(installationId).stop()
  }

  /** Removes a server once no process of it is left. */
  async remove(installationId: string): Promise<void> {
    const server = this.#servers.get(installationId)
    await server?.end()
    this.#servers.delete(installationId)
    this.logs.remove(installationId)
    server?.[Symbol.dispose]()
  }

  /** Stops all servers and downloads in parallel; nothing starts afterwards. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([this.#shared.installer.close(), ...this.all().map((server) => server.end())])
    const { network, wake } = this.#shared
    const emitters = [this.#changed, this.#notified, this.#began]
    for (const one of [...this.all(), ...emitters, network, wake]) one[Symbol.dispose]()
  }

  /** Opens the process of one user. It lives like any server, and writes to the log of its server. */
  #openInstance(
    { log: parent, counts }: Server,
    installationId: string,
    { key, owner, label, room, roots }: NewInstance,
    changed: () => void,
  ): Server {
    const log = this.logs.openInstance(parent, label)
    const server = this.#open(
      { installationId, key, owner },
      {
        ...{ installationId, log },
        serverRequests: this.context.serverRequests?.(installationId, log, roots),
        instance: { counts, room },
      },
    )
    server.onDidChange(changed)
    return server
  }

  /** Creates a start apart from the running server, with its own log; `vary` changes its prepared launch. */
  openSeparateStart(installationId: string, { log, tap, vary }: SeparateStart): ServerStart {
    const { installer } = this.#shared
    const prepare: ServerContext['prepare'] = async () =>
      vary(await this.context.prepare(installationId, log, 'separate'))
    const onInstallLine = (line: string): unknown => log.append('install', levelOf(line), line)
    const download = (): Promise<void> | undefined => installer.waitedFor(onInstallLine)
    return new ServerStart(
      {
        identity: { installationId, log },
        log,
        context: { ...this.context, ...this.#shared, prepare, openTap: () => tap },
        counts: new SessionCounts(),
        ending: new EndingSessions(download, () => undefined),
        ...{ onInstallLine, onDidMove: () => undefined },
      },
      {},
    )
  }

  #open(of: Omit<NotificationOf, 'notification'>, options: ServerOptions): Server {
    const server = new Server({ ...this.context, ...this.#shared }, options)
    server.onDidNotify((notification) => this.#notified.emit({ ...of, notification }))
    server.onDidBegin((notifications) => this.#began.emit({ ...of, notifications }))
    return server
  }
}
