import { AppError } from '../../../src-shared/domain/app-error'
import type { LogEntry } from '../../../src-shared/domain/running/log-entry'
import { TimeSlicer } from '../lines/time-slicer'
import { LogBuffer } from '../log/log-buffer'
import { LogMemory } from '../log/log-store'
import { NO_REDACTOR, type Redactor, redactorOfForms } from '../masking/redact'

/** An instance keeps the lines that explain a failure; its server's log keeps all. */
const INSTANCE_LIMITS = { lines: 1_000 }
const INSTANCE_BYTES = 1_000_000

/** The in-memory logs of all servers. */
export class ServerLogs {
  readonly #pace = new TimeSlicer()
  readonly #logs = new Map<string, LogBuffer>()
  #all: { readonly parts: readonly Redactor[]; readonly redactor: Redactor } = {
    ...{ parts: [], redactor: NO_REDACTOR },
  }

  /** `memory` bounds the lines of all logs together; without it, each log has its own bound. */
  constructor(
    private readonly onDidAppend: (installationId: string, entry: LogEntry) => void,
    private readonly memory?: LogMemory,
  ) {}

  open(installationId: string): LogBuffer {
    const log = new LogBuffer((entry) => this.onDidAppend(installationId, entry), {
      pace: this.#pace,
      memory: this.memory,
    })
    this.#logs.set(installationId, log)
    return log
  }

  /** Opens an instance's log; its lines also go to its server's log under a label. */
  openInstance(parent: LogBuffer, label: string): LogBuffer {
    return new LogBuffer(() => undefined, {
      ...{ pace: this.#pace, memory: new LogMemory(INSTANCE_BYTES), limits: INSTANCE_LIMITS },
      parent: { log: parent, label },
    })
  }

  find(installationId: string): LogBuffer | undefined {
    return this.#logs.get(installationId)
  }

  /** Throws NOT_FOUND. */
  read(installationId: string): LogBuffer {
    const log = this.#logs.get(installationId)
    if (log) return log
    throw new AppError('NOT_FOUND', 'This server is no longer in the list.', {
      hint: 'Another window may have removed it.',
    })
  }

  remove(installationId: string): void {
    this.#logs.get(installationId)?.store[Symbol.dispose]()
    this.#logs.delete(installationId)
  }

  warn(installationId: string, message: string): void {
    this.find(installationId)?.append('patchbay', 'warn', message)
  }

  /** Masks the secrets of a server, or of all servers if it is unknown. */
  mask(text: string, installationId?: string): string {
    const own = installationId === undefined ? undefined : this.find(installationId)
    if (own) return own.redactor(text)
    return this.#redactorOfAll()(text)
  }

  /** Rebuilt only if a server's secrets have changed: each write to stderr masks with all of them. */
  #redactorOfAll(): Redactor {
    const parts = [...this.#logs.values()].map(({ redactor }) => redactor)
    const isSame = parts.length === this.#all.parts.length
    if (!isSame || parts.some((one, at) => one !== this.#all.parts[at]))
      this.#all = { parts, redactor: redactorOfForms(parts.flatMap(({ forms }) => forms)) }
    return this.#all.redactor
  }
}
