import type { LogEntry } from '../../../src-shared/domain/log-entry'
import { NO_REDACTOR, type Redactor } from '../launch/redact'
import { LineIntake } from '../process/line-intake'
import { WorkPace } from '../process/work-pace'
import { EntryRing } from './entry-ring'
import { type LoggedLine, LogReceiver, shapeLine } from './log-receiver'

/** Lines kept for each server. */
const LOG_CAPACITY = 5_000

/** Longest entry kept, in characters: the text of an error that a server made up. */
const MAX_TEXT = 8_400

/**
 * The log of one server: a bounded ring with a sequence that never repeats. Every line is freed of
 * terminal sequences and masked before it is kept; where lines came too fast, numbers are missing.
 */
export class LogBuffer {
  readonly #ring: EntryRing
  #nextSeq = 0
  #redactor: Redactor = NO_REDACTOR

  constructor(
    private readonly onAppend: (entry: LogEntry) => void,
    private readonly now: () => number = Date.now,
    capacity = LOG_CAPACITY,
    /** Shared by the logs of all servers, so that not even many floods take the app's time. */
    private readonly pace = new WorkPace(),
  ) {
    this.#ring = new EntryRing(capacity)
  }

  /** Masks what is appended from now on, and what comes through intakes that are opened from now on. */
  setRedactor(redactor: Redactor): void {
    this.#redactor = redactor
  }

  redact(text: string): string {
    return this.#redactor(text)
  }

  /** Where the bytes of a stream become lines of this log, whatever comes and however fast. */
  intake(source: 'stderr' | 'stdout' | 'install'): LineIntake {
    const receiver = new LogReceiver(source, this.#redactor, {
      add: (line) => this.#add(line),
      skip: (lines) => (this.#nextSeq += lines),
    })
    return new LineIntake(receiver, this.pace)
  }

  append(source: LogEntry['source'], level: LogEntry['level'], text: string): void {
    this.#add({ source, level, ...shapeLine(text.slice(0, MAX_TEXT), this.#redactor) })
  }

  /** Entries above `afterSeq`, oldest first: the newest `limit` of them. `droppedBefore` is the oldest seq still held. */
  read(afterSeq: number, limit: number): { entries: LogEntry[]; droppedBefore: number } {
    const droppedBefore = this.#ring.first?.seq ?? this.#nextSeq
    return { entries: this.#ring.after(afterSeq, limit), droppedBefore }
  }

  /** The last stderr lines, oldest first. */
  stderrTail(count: number, sinceSeq: number): string[] {
    return this.#ring
      .after(sinceSeq - 1, Infinity)
      .filter((entry) => entry.source === 'stderr')
      .slice(-count)
      .map((entry) => entry.text)
  }

  get nextSeq(): number {
    return this.#nextSeq
  }

  /** Forgets the lines; the sequence goes on. */
  clear(): void {
    this.#ring.clear()
  }

  #add(line: LoggedLine): void {
    const entry: LogEntry = { seq: this.#nextSeq, at: this.now(), ...line }
    this.#nextSeq += 1
    this.#ring.push(entry)
    this.onAppend(entry)
  }
}
