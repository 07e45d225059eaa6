import { LogEntry } from '../../../src-shared/domain/running/log-entry'
import { keepNewest } from '../lifecycle/keep-newest'
import { LineReader } from '../lines/line-reader'
import { TimeSlicer } from '../lines/time-slicer'
import { NO_REDACTOR, type Redactor, redactorOfForms } from '../masking/redact'
import { type LoggedLine, LogReceiver, shapeLine } from './log-receiver'
import { type LogLimits, LogMemory, LogStore } from './log-store'

const ALL_SOURCES = LogEntry.shape.source.options
/** How far back the newest lines are looked for, in lines. */
const MOST_LOOKED_AT = 20_000

/** Longest entry kept, in characters: the text of an error that a server made up. */
const MAX_TEXT = 8_400

/** Starts whose secrets stay masked; the session that serves is of one of them, unless as many reconnects failed after it. */
const MOST_STARTS = 16

/** What the log of one server is given. */
export type LogBufferOptions = {
  readonly now?: () => number
  readonly limits?: LogLimits
  /** Shared by the logs of all servers, so that not even many floods take the app's time. */
  readonly pace?: TimeSlicer
  /** Shared by the logs of all servers: the order of their lines, and their bound. */
  readonly memory?: LogMemory | undefined
  /** The log that gets every line too, after a label, and masks what this one masks. */
  readonly parent?: { readonly log: LogBuffer; readonly label: string } | undefined
}

/**
 * The log of one server: its newest lines, with a sequence that never repeats. Every line is freed of
 * terminal sequences and masked before it is kept; where lines came too fast, numbers are missing.
 */
export class LogBuffer {
  /** Its lines, for who reads many of them. */
  readonly store: LogStore
  readonly #now: () => number
  readonly #pace: TimeSlicer
  #nextSeq = 0
  #stderrLines = 0
  /** What is masked for each start, that of the newest last; of starts with the same secrets the newest alone. */
  readonly #forms = new Map<object, Redactor['forms']>()
  #redactor: Redactor = NO_REDACTOR
  readonly #parent: LogBufferOptions['parent']

  constructor(
    private readonly onAppend: (entry: LogEntry) => void,
    { now = Date.now, limits, pace = new TimeSlicer(), memory, parent }: LogBufferOptions = {},
  ) {
    this.#now = now
    this.#parent = parent
    this.#pace = pace
    this.store = new LogStore(memory ?? new LogMemory(), limits)
  }

  /**
   * Masks what is appended from now on, and what comes through intakes that are opened from now on. It takes the place
   * of the one `of` the same start; what others mask stays masked.
   */
  setRedactor(redactor: Redactor, of: object = this): void {
    const own = new Set(redactor.forms)
    for (const [start, forms] of this.#forms)
      if (forms.every((form) => own.has(form))) this.#forms.delete(start)
    keepNewest(this.#forms, of, redactor.forms, MOST_STARTS)
    this.#redactor = redactorOfForms(new Set([...this.#forms.values()].flat()))
    this.#parent?.log.setRedactor(redactor, of)
  }

  /** What masks now. */
  get redactor(): Redactor {
    return this.#redactor
  }

  /** Where the bytes of a stream become lines of this log, whatever comes and however fast. */
  intake(source: 'stderr' | 'stdout' | 'install'): LineReader {
    const receiver = new LogReceiver(source, this.#redactor, {
      add: (line) => {
        this.#take(line)
      },
      skip: (lines) => {
        this.#nextSeq += lines
        if (source === 'stderr') this.#stderrLines += lines
      },
    })
    return new LineReader(receiver, this.#pace)
  }

  append(source: LogEntry['source'], level: LogEntry['level'], text: string): void {
    this.#add({ source, level, ...shapeLine(text.slice(0, MAX_TEXT), this.#redactor) })
  }

  /** The newest entries, oldest first: none before `firstSeq`, and of these sources alone. */
  newest(count: number, firstSeq = 0, sources: readonly string[] = ALL_SOURCES): LogEntry[] {
    const found: LogEntry[] = []
    let seen = 0
    for (const { entry } of this.store.newest(firstSeq - 1)) {
      if (found.length >= count || seen >= MOST_LOOKED_AT) break
      seen += 1
      if (sources.includes(entry.source)) found.push(entry)
    }
    return found.reverse()
  }

  get nextSeq(): number {
    return this.#nextSeq
  }

  /** How many lines came on stderr, also those that were not kept; never less than before. */
  get stderrLines(): number {
    return this.#stderrLines
  }

  /** Forgets the lines; the sequence goes on. */
  clear(): void {
    this.store.clear()
  }

  #add(line: LoggedLine): void {
    const entry: LogEntry = { seq: this.#nextSeq, at: this.#now(), ...line }
    this.#nextSeq += 1
    this.store.push(entry)
    this.onAppend(entry)
    if (this.#parent) this.#parent.log.#take(labeled(line, this.#parent.label))
  }

  #take(line: LoggedLine): void {
    // A long line comes in pieces; only the last one has an end.
    if (line.source === 'stderr' && line.continues !== true) this.#stderrLines += 1
    this.#add(line)
  }
}

/** A line with whose it is before it, outside of its colors. */
function labeled({ text, styles, ...line }: LoggedLine, label: string): LoggedLine {
  const before = `[${label}] `
  const moved = styles?.map(({ start, end, ...style }) => ({
    ...style,
    start: start + before.length,
    end: end + before.length,
  }))
  return { ...line, text: before + text, ...(moved && { styles: moved }) }
}

/** How often it is reported which logs grew, in ms. */
const NOTIFY_MS = 100

/** Gathers which logs grew, so that even many floods cost one message in 100 ms. */
export class LogEvents implements Disposable {
  readonly #grown = new Set<string>()
  #timer: NodeJS.Timeout | undefined

  constructor(
    private readonly onNotification: (installationIds: string[]) => void,
    private readonly notifyMs = NOTIFY_MS,
  ) {}

  add(installationId: string): void {
    this.#grown.add(installationId)
    this.#timer ??= setTimeout(() => this.#emit(), this.notifyMs)
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
    if (this.#grown.size > 0) this.#emit()
  }

  #emit(): void {
    this.#timer = undefined
    const grown = [...this.#grown]
    this.#grown.clear()
    this.onNotification(grown)
  }
}
