import pLimit, { type LimitFunction } from 'p-limit'

import { AppError } from '../../../src-shared/domain/app-error'
import type { LogEntry } from '../../../src-shared/domain/log-entry'
import { PackageInstaller } from '../launch/package-installer'
import { LogBuffer } from '../log/log-buffer'
import { SessionSupervisor } from './session-supervisor'
import type { PreparedLaunch } from './start-sequence'

export type ServerDirectoryOptions = {
  readonly prepare: (installationId: string, log: LogBuffer) => Promise<PreparedLaunch>
  readonly slots: number
  readonly clientVersion: string
  readonly onDidChange: (installationId: string) => void
  readonly onDidAppend: (installationId: string, entry: LogEntry) => void
}

type Server = { readonly supervisor: SessionSupervisor; readonly log: LogBuffer }

/** Every installation's supervisor and log, by id, with what all servers share: slots and downloads. */
export class ServerDirectory {
  readonly #servers = new Map<string, Server>()
  readonly #installer = new PackageInstaller()
  readonly #slots: LimitFunction
  #isClosed = false

  constructor(private readonly options: ServerDirectoryOptions) {
    this.#slots = pLimit(options.slots)
  }

  setSlots(slots: number): void {
    this.#slots.concurrency = slots
  }

  /** Makes place for an installation, stopped. */
  add(installationId: string): void {
    const { options } = this
    const log = new LogBuffer((entry) => options.onDidAppend(installationId, entry))
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
