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

/** The context of all servers, and what the directory opens each with. */
export type DirectoryContext = ServerContext & {
  /** Answers the requests of a server; missing where nothing can. */
  readonly serverRequests?:
    | ((installationId: string, log: LogBuffer, appRoots?: NewInstance['roots']) => ServerRequests)
    | undefined
}

/** A notification, with the server or instance that sent it. */
export type NotificationOf = {
  readonly installationId: string
  /** As `ServerInstances.keyOf`. */
  readonly key: string
  /** The user of an instance. */
  readonly owner?: InstanceOwner | undefined
  readonly notification: ServerNotification
}

/** What a start beside the server is given. */
export type SeparateStart = {
  readonly log: LogBuffer
  readonly tap: MessageTap
  readonly vary: (launch: PreparedLaunch) => PreparedLaunch
}

/** Every installed server by its id, with what all share: slots and downloads. */
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

  /** As `Server.onDidChange`, with the id of the installation, also for its instances. */
  readonly onDidChange = this.#changed.event
  /** As `Server.onDidNotify`, of every server. */
  readonly onDidNotify = this.#notified.event
  /** As `Server.onDidBegin`, of every server. */
  readonly onDidBegin = this.#began.event

  /** `time`: that of this computer where none is given. */
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

  /** Brings changed settings to what runs; everything else reads them when it next decides. */
  settingsChanged(): void {
    const { installSlots, spawnSlots } = this.context.settings()
    this.#shared.slots.concurrency = spawnSlots
    this.#shared.installer.setSlots(installSlots)
    for (const server of this.all()) server.settingsChanged()
  }

  /** Adds an installation, stopped. */
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

  /** Calls `listener` when the computer has slept. */
  onDidWake(listener: () => void): Disposable {
    return this.#shared.wake.onDidWake(listener)
  }

  /** The system reports that the computer has slept: connections may be gone, and are probed. */
  reportWake(): void {
    this.#shared.wake.reportWake()
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

  /** Finds a server or instance by its key, as `ServerInstances.keyOf` makes it. */
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
    await this.read(installationId).stop()
  }

  /** Takes a server out once no process of it is left. */
  async remove(installationId: string): Promise<void> {
    const server = this.#servers.get(installationId)
    await server?.end()
    this.#servers.delete(installationId)
    this.logs.remove(installationId)
    server?.[Symbol.dispose]()
  }

  /** Stops every server and download side by side; from now on nothing starts. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([this.#shared.installer.close(), ...this.all().map((server) => server.end())])
    const { network, wake } = this.#shared
    const emitters = [this.#changed, this.#notified, this.#began]
    for (const one of [...this.all(), ...emitters, network, wake]) one[Symbol.dispose]()
  }

  /** Opens the process of one user: it has the life of any server, and writes to the log of its server. */
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

  /** A start beside the server, with a log of its own, that serves nobody: `vary` changes what was prepared for it. */
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
