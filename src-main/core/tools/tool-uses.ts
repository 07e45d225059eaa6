import * as z from 'zod'

import { ErrorLatch } from '../failure/error-latch'
import { keepNewest } from '../lifecycle/keep-newest'
import type { Timekeeper } from '../ports'
import { readOwnJsonOr, writeOwnJson } from '../storage/own-file'

/** Number of calls of a tool in the last 30 days, and the time of the last one, in epoch ms. */
export type ToolUse = { readonly uses: number; readonly lastUsedAt: number | undefined }

export type ToolUsesOptions = {
  /** Absolute path of the file that stores calls. */
  readonly file: string
  readonly time: Timekeeper
  /** Calls can't be written. Gets a sentence, once, and undefined as soon as they can. */
  readonly onProblem: (message: string | undefined) => void
}

const DAY_MS = 86_400_000
const RETENTION_DAYS = 30
/** Maximum number of remembered tools; the least recently called are dropped first. */
const MAX_TOOLS = 10_000
/** No name that MCP allows is this long. */
const MAX_NAME_LENGTH = 1_000
const MAX_BYTES = 16 * 1024 * 1024
/** Delay before calls are written together, in ms; a killed app loses no more. */
const WRITE_AFTER_MS = 5_000

const Count = z.number().int().nonnegative()
const StoredUse = z.object({
  installationId: z.string().max(64),
  name: z.string().max(MAX_NAME_LENGTH),
  /** Epoch ms. */
  lastUsedAt: z.number(),
  /** Days since 1970 in UTC with their number of calls. */
  days: z.array(z.tuple([Count, Count])).max(1_000),
})
type StoredUse = z.infer<typeof StoredUse>
const UsesDocument = z.object({ version: z.literal(1), uses: z.array(StoredUse).max(MAX_TOOLS) })

/** Counts the calls of each tool by day, over the last 30 days. Nothing here throws or rejects. */
export class ToolUses implements Disposable {
  /** Least recently called first. */
  readonly #uses: Map<string, StoredUse>
  #writeTimer: Disposable | undefined
  readonly #latch: ErrorLatch

  constructor(private readonly options: ToolUsesOptions) {
    this.#latch = new ErrorLatch(options.onProblem)
    // Counting restarts if the file is unreadable: counts are only advice.
    const { uses } = readOwnJsonOr(options.file, UsesDocument, MAX_BYTES) ?? { uses: [] }
    this.#uses = new Map(uses.map((use) => [keyOf(use.installationId, use.name), use]))
  }

  /** Records a call that begins now. */
  record(installationId: string, name: string): void {
    if (name.length > MAX_NAME_LENGTH) return
    const now = this.options.time.now()
    const key = keyOf(installationId, name)
    const use = this.#uses.get(key) ?? { installationId, name, lastUsedAt: now, days: [] }
    use.lastUsedAt = now
    const last = use.days.at(-1)
    if (last?.[0] === dayOf(now)) last[1] += 1
    else use.days = [...this.#daysOf(key), [dayOf(now), 1]]
    keepNewest(this.#uses, key, use, MAX_TOOLS)
    this.#writeSoon()
  }

  of(installationId: string, name: string): ToolUse {
    const key = keyOf(installationId, name)
    const uses = this.#daysOf(key).reduce((sum, [, calls]) => sum + calls, 0)
    return { uses, lastUsedAt: this.#uses.get(key)?.lastUsedAt }
  }

  /** Forgets a removed server. */
  remove(installationId: string): void {
    const before = this.#uses.size
    for (const [key, use] of this.#uses)
      if (use.installationId === installationId) this.#uses.delete(key)
    if (this.#uses.size < before) this.#writeSoon()
  }

  /** Writes pending calls. */
  [Symbol.dispose](): void {
    if (this.#writeTimer) this.#write()
  }

  /** Returns the last 30 days including today; later days come from a wrong clock. */
  #daysOf(key: string): [number, number][] {
    const today = dayOf(this.options.time.now())
    const days = this.#uses.get(key)?.days ?? []
    return days.filter(([day]) => day > today - RETENTION_DAYS && day <= today)
  }

  #writeSoon(): void {
    this.#writeTimer ??= this.options.time.after(WRITE_AFTER_MS, () => this.#write())
  }

  #write(): void {
    this.#writeTimer?.[Symbol.dispose]()
    this.#writeTimer = undefined
    const { file } = this.options
    const uses = [...this.#uses.values()]
    const isWritten = this.#latch.attempt('Tool calls can’t be written to disk', () =>
      writeOwnJson(file, { version: 1, uses }, MAX_BYTES),
    )
    if (isWritten) this.#latch.set(undefined)
  }
}

function keyOf(installationId: string, name: string): string {
  return `${installationId} ${name}`
}

function dayOf(time: number): number {
  return Math.floor(time / DAY_MS)
}
