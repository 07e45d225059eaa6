import type { JsonObject } from '../../../../src-shared/domain/server-json/tolerant-reader'
import { Disposables } from '../../lifecycle/disposables'
import { LOG_LEVELS, type LogLevel, type SessionNews } from '../../mcp/notifications'
import type { Timekeeper } from '../../ports'
import type { ServerDirectory } from '../../servers/server-directory'

/** The level of a reader that requested none, and of a message without one. */
const DEFAULT_LEVEL: LogLevel = 'info'
/** How long no reader wants the lesser messages before servers are told, in ms: requests come and go. */
const QUIET_MS = 5_000

/** Who reads what servers log. */
export type LogReader = {
  /** The least level that it requested. */
  readonly level: LogLevel | undefined
  /** Takes a message; decides itself whether it is shown this server. */
  tell(installationId: string, params: JsonObject): void
}

export type LogRelayParts = {
  readonly servers: Pick<ServerDirectory, 'all' | 'onDidBegin' | 'onDidNotify'>
  /** As the user calls the server. */
  readonly nameOf: (installationId: string) => string
  readonly time: Pick<Timekeeper, 'after'>
}

/** Brings the log messages of servers to the agents that want them; each server is asked for the least level of all. */
export class LogRelay implements Disposable {
  readonly #parts: LogRelayParts
  readonly #readers = new Set<LogReader>()
  readonly #following = new Disposables()
  /** What servers are asked for; undefined until a reader requested a level, as servers write what they like till then. */
  #requested: LogLevel | undefined
  #quieting: Disposable | undefined

  constructor(parts: LogRelayParts) {
    this.#parts = parts
    this.#following.add(parts.servers.onDidBegin(({ news }) => this.#request(news)))
    this.#following.add(
      parts.servers.onDidNotify(({ installationId, news }) => {
        if (news.kind === 'log') this.tell(installationId, news.params)
      }),
    )
  }

  /** Tells a reader until the result is disposed. */
  add(reader: LogReader): Disposable {
    this.#readers.add(reader)
    if (reader.level !== undefined) this.levelChanged()
    return {
      [Symbol.dispose]: () => {
        this.#readers.delete(reader)
        if (reader.level !== undefined) this.levelChanged()
      },
    }
  }

  /** A reader requested another level: more is asked for immediately, less after a while. */
  levelChanged(): void {
    const isRequested = [...this.#readers].some(({ level }) => level !== undefined)
    if (this.#requested === undefined && !isRequested) return
    if (this.#requested === undefined || weightOf(this.#least) < weightOf(this.#requested))
      this.#requestAll()
    else if (this.#least !== this.#requested)
      this.#quieting ??= this.#parts.time.after(QUIET_MS, () => {
        this.#quieting = undefined
        if (this.#least !== this.#requested) this.#requestAll()
      })
  }

  /** A server wrote something, for these readers. */
  tell(
    installationId: string,
    params: JsonObject,
    readers: Iterable<LogReader> = [...this.#readers],
  ): void {
    const name = this.#parts.nameOf(installationId)
    const logger = typeof params.logger === 'string' ? `${name}/${params.logger}` : name
    for (const reader of readers)
      if (weightOf(params.level) >= weightOf(reader.level))
        reader.tell(installationId, { ...params, logger })
  }

  [Symbol.dispose](): void {
    this.#following[Symbol.dispose]()
    this.#quieting?.[Symbol.dispose]()
  }

  get #least(): LogLevel {
    const weights = [...this.#readers].map(({ level }) => weightOf(level))
    return LOG_LEVELS[Math.min(...weights)] ?? DEFAULT_LEVEL
  }

  #requestAll(): void {
    this.#requested = this.#least
    for (const { news } of this.#parts.servers.all()) if (news) this.#request(news)
  }

  #request(news: SessionNews): void {
    // A server that refuses goes on at its own level.
    if (this.#requested !== undefined) void news.setLevel(this.#requested).catch(() => undefined)
  }
}

function weightOf(level: unknown): number {
  const weight = LOG_LEVELS.findIndex((one) => one === level)
  return weight < 0 ? LOG_LEVELS.indexOf(DEFAULT_LEVEL) : weight
}
