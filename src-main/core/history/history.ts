import type {
  HistoryEvent,
  HistoryFact,
  HistoryPage,
  RecentFailure,
  Recovery,
} from '../../../src-shared/domain/running/history'
import { background } from '../lifecycle/background'
import type { HistoryFolder } from './history-folder'

const DAY_MS = 86_400_000
/** How much is kept of a server. */
export const HISTORY_BOUNDS = { events: 500, days: 90 } as const
/** So many more may stand in a file before it is written again. */
const SLACK = 100

type Kept = {
  /** Oldest first, this run's too. */
  events: HistoryEvent[]
  /** Lines of the file. */
  lines: number
}

/** What happened to each server, over all runs; bounded by number and age. */
export class History {
  readonly #folder: HistoryFolder
  readonly #now: () => number
  readonly #kept = new Map<string, Promise<Kept>>()

  constructor(options: { readonly folder: HistoryFolder; readonly now: () => number }) {
    this.#folder = options.folder
    this.#now = options.now
  }

  /** Takes note of what happened just now; never throws. */
  add(installationId: string, facts: readonly HistoryFact[]): void {
    if (facts.length === 0) return
    const at = this.#now()
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
    const known = events.filter((event) => this.#isKept(event))
    const older = known.filter(({ eventId }) => eventId < before)
    return { events: older.slice(-limit).reverse(), total: known.length }
  }

  /** The newest failures of these servers, newest first. */
  async failures(
    installationIds: readonly string[],
    { since, limit }: { readonly since: number; readonly limit: number },
  ): Promise<RecentFailure[]> {
    const all = await Promise.all(
      installationIds.map(async (installationId) => {
        const { events } = await this.#read(installationId)
        return events
          .filter(({ at, fact }) => fact.kind === 'failed' && at >= since)
          .map((event) => ({ ...event, installationId }))
      }),
    )
    return all
      .flat()
      .sort((one, other) => other.at - one.at)
      .slice(0, limit)
  }

  /** What these servers recovered from by themselves after `since`, newest first. */
  async recoveries(
    installationIds: readonly string[],
    { since, limit }: { readonly since: number; readonly limit: number },
  ): Promise<Recovery[]> {
    const all = await Promise.all(
      installationIds.map(async (installationId) => {
        const { events } = await this.#read(installationId)
        const found = recoveryOf(events, since)
        return found ? [{ installationId, ...found }] : []
      }),
    )
    return all
      .flat()
      .sort((one, other) => other.at - one.at)
      .slice(0, limit)
  }

  /** Forgets a server that is removed; settles when its file is gone. */
  async remove(installationId: string): Promise<void> {
    // What is being noted must not come after.
    await this.#kept.get(installationId)
    this.#kept.delete(installationId)
    await this.#folder.remove(installationId)
  }

  /** Settles when all is written, within about 2 s. */
  async close(): Promise<void> {
    await Promise.all(this.#kept.values())
    await this.#folder.close()
  }

  #read(installationId: string): Promise<Kept> {
    const known = this.#kept.get(installationId)
    if (known) return known
    const reading = this.#folder
      .read(installationId)
      .then((events): Kept => ({ events, lines: events.length }))
    this.#kept.set(installationId, reading)
    return reading
  }

  #append(
    installationId: string,
    kept: Kept,
    { at, fact }: { readonly at: number; readonly fact: HistoryFact },
  ): void {
    const eventId = (kept.events.at(-1)?.eventId ?? 0) + 1
    const event: HistoryEvent = { eventId, at, fact }
    kept.events = [...kept.events, event]
      .filter((one) => this.#isKept(one))
      .slice(-HISTORY_BOUNDS.events)
    kept.lines += 1
    if (kept.lines <= HISTORY_BOUNDS.events + SLACK) {
      this.#folder.append(installationId, event)
      return
    }
    kept.lines = kept.events.length
    this.#folder.replace(installationId, kept.events)
  }

  #isKept({ at }: HistoryEvent): boolean {
    return at >= this.#now() - HISTORY_BOUNDS.days * DAY_MS
  }
}

type Found = Omit<Recovery, 'installationId'>
/** Where one stands while events are gone through, oldest first. */
type Course = {
  /** The first of a row of failures tells what happened; the others may be of tries that came too early. */
  readonly failed?: Pick<Found, 'eventId' | 'failedAt' | 'message'> | undefined
  /** Whether nobody wanted the newest start. */
  readonly isByItself: boolean
  readonly found?: Found | undefined
}

/** The newest failure of a server that fixed itself since then: it was started again by nobody, and is ready. Undefined where none is. */
export function recoveryOf(events: readonly HistoryEvent[], since: number): Found | undefined {
  const begin: Course = { isByItself: true }
  return events.reduce((course, event) => next(course, event, since), begin).found
}

function next(course: Course, { eventId, at, fact }: HistoryEvent, since: number): Course {
  const { failed, isByItself, found } = course
  if (fact.kind === 'failed')
    return { ...course, failed: failed ?? { eventId, failedAt: at, message: fact.message } }
  if (fact.kind === 'started') return { ...course, isByItself: fact.isByItself }
  if (fact.kind === 'stopped') return { ...course, failed: undefined }
  if (fact.kind !== 'ready') return course
  const isRecovery = failed !== undefined && isByItself && at > since
  return { isByItself, found: isRecovery ? { ...failed, at } : found }
}
