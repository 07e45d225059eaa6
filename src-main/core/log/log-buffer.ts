import { stripVTControlCharacters } from 'node:util'

import type { LogEntry } from '../../../src-shared/domain/log-entry'

/** Lines kept for each server. */
const LOG_CAPACITY = 5_000

/** Longest entry kept, in characters: a line with its mark of a cut, or the text of an error that a server made up. */
const MAX_TEXT = 8_400

/**
 * The log of one server: a bounded ring with a sequence that never repeats. Every line is freed of
 * terminal sequences and masked before it is kept.
 */
export class LogBuffer {
  readonly #ring: LogEntry[] = []
  #nextSeq = 0
  #clearedBefore = 0
  #redact: (text: string) => string = (text) => text

  constructor(
    private readonly onAppend: (entry: LogEntry) => void,
    private readonly now: () => number = Date.now,
    private readonly capacity = LOG_CAPACITY,
  ) {}

  /** Masks what is appended from now on. */
  setRedactor(redact: (text: string) => string): void {
    this.#redact = redact
  }

  redact(text: string): string {
    return this.#redact(text)
  }

  append(source: LogEntry['source'], level: LogEntry['level'], text: string): void {
    const entry: LogEntry = {
      seq: this.#nextSeq,
      at: this.now(),
      source,
      level,
      text: this.#redact(plain(text.slice(0, MAX_TEXT))),
    }
    this.#ring[this.#nextSeq % this.capacity] = entry
    this.#nextSeq += 1
    this.onAppend(entry)
  }

  /** Entries above `afterSeq`, oldest first: the newest `limit` of them. `droppedBefore` is the oldest seq still held. */
  read(afterSeq: number, limit: number): { entries: LogEntry[]; droppedBefore: number } {
    const droppedBefore = Math.max(this.#nextSeq - this.capacity, this.#clearedBefore)
    const from = Math.max(afterSeq + 1, droppedBefore, this.#nextSeq - limit)
    const entries: LogEntry[] = []
    for (let seq = from; seq < this.#nextSeq; seq += 1) {
      const entry = this.#ring[seq % this.capacity]
      if (entry) entries.push(entry)
    }
    return { entries, droppedBefore }
  }

  /** The last stderr lines, oldest first. */
  stderrTail(count: number, sinceSeq: number): string[] {
    return this.read(sinceSeq - 1, this.capacity)
      .entries.filter((entry) => entry.source === 'stderr')
      .slice(-count)
      .map((entry) => entry.text)
  }

  get nextSeq(): number {
    return this.#nextSeq
  }

  /** Forgets the lines; the sequence goes on. */
  clear(): void {
    this.#ring.length = 0
    this.#clearedBefore = this.#nextSeq
  }
}

/** Terminal sequences and control characters out, tabs kept. */
function plain(text: string): string {
  return stripVTControlCharacters(text).replace(/[^\P{Cc}\t]/gu, '')
}
