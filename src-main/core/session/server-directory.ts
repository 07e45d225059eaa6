import pLimit, { type LimitFunction } from 'p-limit'

import { AppError } from '../../../src-shared/domain/app-error'
import type { LogEntry } from '../../../src-shared/domain/log-entry'
import type { Settings } from '../../../src-shared/domain/settings'
import { PackageInstaller } from '../launch/package-installer'
import { LogBuffer } from '../log/log-buffer'
import { WorkPace } from '../process/work-pace'
import { SessionSupervisor } from './session-supervisor'
import type { PreparedLaunch } from './start-sequence'

/** How many downloads and how many spawns there are at the same time. */
export type Slots = Pick<Settings, 'installSlots' | 'spawnSlots'>

export type ServerDirectoryOptions = {
  readonly prepare: (installationId: string, log: LogBuffer) => Promise<PreparedLaunch>
  readonly slots: Slots
  readonly clientVersion: string
  readonly onDidChange: (installationId: string) => void
  readonly onDidAppend: (installationId: string, entry: LogEntry) => void
}

type Server = { readonly supervisor: SessionSupervisor; readonly log: LogBuffer }

/** Every installation's supervisor and log, by id, with what all servers share: slots and downloads. */
export class ServerDirectory {
  readonly #servers = new Map<string, Server>()
  readonly #installer: PackageInstaller
  readonly #slots: LimitFunction
  readonly #pace = new WorkPace()
  #isClosed = false

  constructor(private readonly options: ServerDirectoryOptions) {
    this.#slots = pLimit(options.slots.spawnSlots)
    this.#installer = new PackageInstaller(options.slots.installSlots)
  }

  setSlots({ installSlots, spawnSlots }: Slots): void {
    this.#slots.concurrency = spawnSlots
    this.#installer.setSlots(installSlots)
  }

  /** Makes place for an installation, stopped. */
  add(installationId: string): void {
    const { options } = this
    const log = new LogBuffer(
      (entry) => options.onDidAppend(installationId, entry),
      Date.now,
      undefined,
      this.#pace,
    )
    const supervisor = new SessionSupervisor({
      prepare: () => options.prepare(installationId, log),
      installer: this.#installer,
      slots: this.#slots,
      log,
      clientVersion: options.clientVersion,
      onDidChange: () => options.onDidChange(installationId),
    })
    this.#servers.set(installationId, { supervisor, log })
    if (this.#isClosed) void supervisor.end()
  }

  find(installationId: string): SessionSupervisor | undefined {
    return this.#servers.get(installationId)?.supervisor
  }

  findLog(installationId: string): LogBuffer | undefined {
    return this.#servers.get(installationId)?.log
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
  }
}
