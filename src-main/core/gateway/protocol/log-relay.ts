import { LOG_LEVELS, type LogLevel, type SessionNews } from '../../mcp/notifications'
import type { Timekeeper } from '../../ports'

/** What who never said a level is told, at least. */
const USUAL: LogLevel = 'info'
/** How long nobody wants the lesser messages before servers are told so, in ms: who asks and stops in turns costs them nothing. */
const QUIET_MS = 5_000

/** Who reads what servers log. */
export type LogReader = {
  /** The least that it asked for; undefined where it never did. */
  readonly level: LogLevel | undefined
  /** Takes a message; it decides itself whether it is shown this server. */
  tell(installationId: string, params: Readonly<Record<string, unknown>>): void
}

export type LogRelayParts = {
  /** Of all servers that serve. */
  readonly news: () => Iterable<SessionNews>
  /** As the person calls it. */
  readonly nameOf: (installationId: string) => string
  readonly time: Pick<Timekeeper, 'after'>
}

/** Brings the log messages of servers to the agents that want them; each server is asked for the least that any wants. */
export class LogRelay implements Disposable {
  readonly #parts: LogRelayParts
  readonly #readers = new Set<LogReader>()
  /** What servers are asked for; undefined until any reader said what it wants, as servers write what they like till then. */
  #asked: LogLevel | undefined
  #quieting: Disposable | undefined

  constructor(parts: LogRelayParts) {
    this.#parts = parts
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

  /** What a reader wants is another: more is asked for at once, less after a while. */
  levelChanged(): void {
    const isAnySaid = [...this.#readers].some(({ level }) => level !== undefined)
    if (this.#asked === undefined && !isAnySaid) return
    const least = this.#least()
    if (this.#asked === undefined || weightOf(least) < weightOf(this.#asked)) this.#ask(least)
    else if (least !== this.#asked)
      this.#quieting ??= this.#parts.time.after(QUIET_MS, () => {
        this.#quieting = undefined
        const now = this.#least()
        if (now !== this.#asked) this.#ask(now)
      })
  }

  /** A server serves from now on. */
  begin(news: SessionNews): void {
    // One that refuses goes on at its own level, and agents get of it what that gives.
    if (this.#asked !== undefined) void news.setLevel(this.#asked).catch(() => undefined)
  }

  /** A server wrote something, for these readers. */
  tell(
    installationId: string,
    params: Readonly<Record<string, unknown>>,
    readers: Iterable<LogReader> = [...this.#readers],
  ): void {
    const { nameOf } = this.#parts
    const weight = weightOf(params.level)
    const named =
      typeof params.logger === 'string'
        ? `${nameOf(installationId)}/${params.logger}`
        : nameOf(installationId)
    const message = { ...params, logger: named }
    for (const reader of readers)
      if (weight >= weightOf(reader.level)) reader.tell(installationId, message)
  }

  [Symbol.dispose](): void {
    this.#quieting?.[Symbol.dispose]()
  }

  #ask(level: LogLevel): void {
    this.#asked = level
    for (const news of this.#parts.news()) this.begin(news)
  }

  #least(): LogLevel {
    const weights = [...this.#readers].map(({ level }) => weightOf(level))
    return LOG_LEVELS[Math.min(...weights)] ?? USUAL
  }
}

function weightOf(level: unknown): number {
  const weight = LOG_LEVELS.findIndex((one) => one === level)
  return weight < 0 ? LOG_LEVELS.indexOf(USUAL) : weight
}
