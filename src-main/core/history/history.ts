import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import * as z from 'zod'

import { jsonIn } from '../../../src-shared/domain/attempt'
import {
  HistoryEvent,
  type HistoryFact,
  type HistoryPage,
  type RecentFailure,
  type Recovery,
} from '../../../src-shared/domain/running/history'
import { background } from '../lifecycle/background'
import { LineFiles, makeOwnFolder } from '../storage/line-files'
import { fileStemOf, readOwnJsonOr, writeOwnJson } from '../storage/own-file'

const DAY_MS = 86_400_000
/** Limits per server. */
export const HISTORY_BOUNDS = { events: 500, days: 90 } as const
/** Additional lines in a file before it is rewritten. */
const SLACK = 100

/** The newest events since a time. */
type Newest = { readonly since: number; readonly limit: number }

type Loaded = {
  /** Oldest first, including this run's. */
  events: HistoryEvent[]
  lines: number
}

/** The events of each server over all runs, bounded by number and age. On disk, one file per server with one line of JSON per event. */
export class History {
  readonly #files: LineFiles
  readonly #loaded = new Map<string, Promise<Loaded>>()

  /** See `LineFiles` for `onProblem`; without the disk the history continues in memory. */
  constructor(
    folder: string,
    private readonly now: () => number,
    onProblem: (message: string | undefined) => void,
  ) {
    this.#files = new LineFiles(folder, onProblem)
  }

  /** Adds new events; never throws. */
  add(installationId: string, facts: readonly HistoryFact[]): void {
    if (facts.length === 0) return
    const at = this.now()
    background(
      this.#read(installationId).then((kept) => {
        for (const fact of facts) this.#append(installationId, kept, { at, fact })
      }),
      'reading the history',
    )
  }

  /** Events older than `before` (an `eventId`), newest first. */
  async page(
    installationId: string,
    { before = Infinity, limit }: { readonly before?: number | undefined; readonly limit: number },
  ): Promise<HistoryPage> {
    const { events } = await this.#read(installationId)
    const known = events.filter((event) => this.#isRetained(event))
    const older = known.filter(({ eventId }) => eventId < before)
    return { events: older.slice(-limit).reverse(), total: known.length }
  }

  /** The newest failures of these servers, newest first. */
  failures(installationIds: readonly string[], { since, limit }: Newest): Promise<RecentFailure[]> {
    return this.#newest(installationIds, limit, (events) =>
      events.filter(({ at, fact }) => fact.kind === 'failed' && at >= since),
    )
  }

  /** Automatic recoveries of these servers after `since`, newest first. */
  recoveries(installationIds: readonly string[], { since, limit }: Newest): Promise<Recovery[]> {
    return this.#newest(installationIds, limit, (events) => recoveryOf(events, since) ?? [])
  }

  /** Forgets a removed server; settles when its file is gone. */
  async remove(installationId: string): Promise<void> {
    // Events being written must not come after the deletion.
    await this.#loaded.get(installationId)
    this.#loaded.delete(installationId)
    const file = this.#fileOf(installationId)
    await this.#files.step('Can’t delete the history', undefined, async () => {
      for (const one of [file, `${file}.new`]) await rm(one, { force: true })
    })
  }

  /** Settles when everything is written, within about 2 s. */
  async close(): Promise<void> {
    await Promise.all(this.#loaded.values())
    await this.#files.close()
  }

  async #newest<T extends { readonly at: number }>(
    installationIds: readonly string[],
    limit: number,
    find: (events: readonly HistoryEvent[]) => T | readonly T[],
  ): Promise<(T & { readonly installationId: string })[]> {
    const all = await Promise.all(
      installationIds.map(async (installationId) => {
        const found = [find((await this.#read(installationId)).events)].flat() as T[]
        return found.map((one) => ({ ...one, installationId }))
      }),
    )
    return all
      .flat()
      .sort((one, other) => other.at - one.at)
      .slice(0, limit)
  }

  #read(installationId: string): Promise<Loaded> {
    const known = this.#loaded.get(installationId)
    if (known) return known
    const reading = this.#files
      .step('Can’t read the history', [], () => this.#files.read(this.#fileOf(installationId)))
      .then((lines): Loaded => {
        // A torn or invalid line is no event.
        const events = lines.flatMap((line) => HistoryEvent.safeParse(jsonIn(line)).data ?? [])
        return { events, lines: events.length }
      })
    this.#loaded.set(installationId, reading)
    return reading
  }

  #append(
    installationId: string,
    kept: Loaded,
    { at, fact }: { readonly at: number; readonly fact: HistoryFact },
  ): void {
    const eventId = (kept.events.at(-1)?.eventId ?? 0) + 1
    const event: HistoryEvent = { eventId, at, fact }
    kept.events = [...kept.events, event]
      .filter((one) => this.#isRetained(one))
      .slice(-HISTORY_BOUNDS.events)
    kept.lines += 1
    const file = this.#fileOf(installationId)
    if (kept.lines <= HISTORY_BOUNDS.events + SLACK)
      this.#save(() => this.#files.append(file, JSON.stringify(event)))
    else {
      kept.lines = kept.events.length
      const text = kept.events.map((one) => `${JSON.stringify(one)}\n`).join('')
      this.#save(() => this.#replace(file, text))
    }
  }

  /** Rewrites a history without dropped events. */
  async #replace(file: string, text: string): Promise<void> {
    await makeOwnFolder(this.#files.folder)
    await writeFile(`${file}.new`, text, { mode: 0o600 })
    await rename(`${file}.new`, file)
  }

  #save(write: () => Promise<void>): void {
    background(
      this.#files.step('Can’t save the history', undefined, async () => {
        await write()
        this.#files.recovered()
      }),
      'saving the history',
    )
  }

  #fileOf(installationId: string): string {
    return join(this.#files.folder, `${fileStemOf(installationId)}.jsonl`)
  }

  #isRetained({ at }: HistoryEvent): boolean {
    return at >= this.now() - HISTORY_BOUNDS.days * DAY_MS
  }
}

type Found = Omit<Recovery, 'installationId'>

/** The newest failure that ended with an automatic start to Ready; undefined if there is none. */
export function recoveryOf(events: readonly HistoryEvent[], since: number): Found | undefined {
  /** The first of a series of failures explains it; later ones may be retries that came too early. */
  let failed: Omit<Found, 'at'> | undefined
  let isByItself = true
  let found: Found | undefined
  for (const { eventId, at, fact } of events) {
    if (fact.kind === 'failed') failed ??= { eventId, failedAt: at, message: fact.message }
    if (fact.kind === 'started') isByItself = fact.isByItself
    if (fact.kind === 'ready' && failed && isByItself && at > since) found = { ...failed, at }
    if (fact.kind === 'ready' || fact.kind === 'stopped') failed = undefined
  }
  return found
}

const MAX_BYTES = 1_000
const LastSeen = z.object({ version: z.literal(1), at: z.number() })

/** Until when the user has seen automatic recoveries, kept across restarts; an unreadable file counts as never. */
export class SeenMarker {
  #at: number

  constructor(private readonly file: string) {
    this.#at = readOwnJsonOr(file, LastSeen, MAX_BYTES)?.at ?? 0
  }

  /** Epoch ms; 0 for never. */
  get at(): number {
    return this.#at
  }

  /** Applies to this run even if it can't be written, which throws the system's error. */
  set(at: number): void {
    this.#at = at
    writeOwnJson(this.file, { version: 1, at }, MAX_BYTES)
  }
}
