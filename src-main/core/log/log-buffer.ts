import { LogEntry } from '../../../src-shared/domain/running/log-entry'
import { keepNewest } from '../lifecycle/keep-newest'
import { LineReader } from '../lines/line-reader'
import { TimeSlicer } from '../lines/time-slicer'
import { NO_REDACTOR, type Redactor, redactorOfForms } from '../masking/redact'
import { type LoggedLine, LogReceiver, shapeLine } from './log-receiver'
import { type LogLimits, LogMemory, LogStore } from './log-store'

const ALL_SOURCES = LogEntry.shape.source.options
/** Lines searched for the newest entries. */
const MAX_SCANNED = 20_000

/** Longest entry, in characters, such as an error text made up by a server. */
const MAX_TEXT = 8_400

/** Starts whose secrets stay masked. The current session's start is among them, unless as many reconnects failed since. */
const MAX_STARTS = 16

/** Options of one server's log. */
export type LogBufferOptions = {
  readonly now?: () => number
  readonly limits?: LogLimits
  /** Shared by all servers' logs, so that many floods together can't take the app's time. */
  readonly pace?: TimeSlicer
  /** Shared by all servers' logs: the order of their lines and their memory limit. */
  readonly memory?: LogMemory | undefined
  /** Another log that gets every line with a label, and masks what this one masks. */
  readonly parent?: { readonly log: LogBuffer; readonly label: string } | undefined
}

/**
 * The log of one server: its newest lines with sequence numbers that never repeat. Every line is stripped of terminal sequences and masked
 * before it is kept; in a flood, numbers are missing.
 */
export class LogBuffer {
  /** The lines, for bulk readers. */
  readonly store: LogStore
  readonly #now: () => number
  readonly #pace: TimeSlicer
  #nextSeq = 0
  #stderrLines = 0
  /** Masked forms per start, newest last; among starts with equal secrets only the newest. */
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

  /** Sets the mask for later lines and intakes. Replaces the mask of the same start; the masks of other starts stay. */
  setRedactor(redactor: Redactor, of: object = this): void {
    const own = new Set(redactor.forms)
    for (const [start, forms] of this.#forms)
      if (forms.every((form) => own.has(form))) this.#forms.delete(start)
    keepNewest(this.#forms, of, redactor.forms, MAX_STARTS)
    this.#redactor = redactorOfForms(new Set([...this.#forms.values()].flat()))
    this.#parent?.log.setRedactor(redactor, of)
  }

  /** The current redactor. */
  get redactor(): Redactor {
    return this.#redactor
  }

  /** Turns a stream's bytes into lines of this log, at any speed. */
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

  /** The newest entries of these sources from `firstSeq` on, oldest first. */
  newest(count: number, firstSeq = 0, sources: readonly string[] = ALL_SOURCES): LogEntry[] {
    const found: LogEntry[] = []
    let seen = 0
    for (const { entry } of this.store.newest(firstSeq - 1)) {
      if (found.length >= count || seen >= MAX_SCANNED) break
      seen += 1
      if (sources.includes(entry.source)) found.push(entry)
    }
    return found.reverse()
  }

  get nextSeq(): number {
    return this.#nextSeq
  }

  /** Number of stderr lines, including dropped ones; never decreases. */
  get stderrLines(): number {
    return this.#stderrLines
  }

  /** Forgets the lines; sequence numbers continue. */
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
    // A long line comes in pieces; only the last one ends it.
    if (line.source === 'stderr' && line.continues !== true) this.#stderrLines += 1
    this.#add(line)
  }
}

/** Prefixes a line with its label, outside its colors. */
function labeled({ text, styles, ...line }: LoggedLine, label: string): LoggedLine {
  const before = `[${label}] `
  const moved = styles?.map(({ start, end, ...style }) => ({
    ...style,
    start: start + before.length,
    end: end + before.length,
  }))
  return { ...line, text: before + text, ...(moved && { styles: moved }) }
}

/** Interval in which grown logs are reported, in ms. */
const NOTIFY_MS = 100

/** Collects grown logs, so that many floods together cause one message per 100 ms. */
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
