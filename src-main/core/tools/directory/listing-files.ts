import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'

import * as z from 'zod'

import { Capabilities } from '../../../../src-shared/domain/agents/capability'
import { ErrorLatch } from '../../failure/error-latch'
import { isTooDeep, MAX_DEPTH } from '../../mcp/json/json-rpc'
import type { Timekeeper } from '../../ports'
import { fileStemOf, readOwnJson, writeOwnText } from '../../storage/own-file'
import { Hash } from '../pins/pin-records'

/** What a server listed when it was last asked. */
export const KeptListing = z.object({
  capabilities: Capabilities,
  /** How to use the server, in its own words; untrusted. */
  instructions: z.string().optional(),
  /** Version of the package that gave it, where it names one. */
  packageVersion: z.string().optional(),
  /** Epoch ms. */
  listedAt: z.number(),
  /** Of the tools as the server wrote them, in their order, where secrets in the listing are masked. */
  identities: z.array(z.object({ hash: Hash, meaning: Hash })).optional(),
})
export type KeptListing = z.infer<typeof KeptListing>

const ListingDocument = z.object({ version: z.literal(1), listing: KeptListing })
/** What the document has around a tool. */
const OUTER_DEPTH = 5
/** A larger file would hold up the app at its start. */
const MOST_BYTES = 16 * 1024 * 1024
/** How long a listing waits for later ones of the same server before it is written, in ms; a killed app loses no more. */
const WRITE_AFTER_MS = 1_000
const OWN_FILE = /^([\w-]{1,64})\.listing\.json(?:\.new)?$/u

export type ListingFilesOptions = {
  readonly folder: string
  readonly time: Timekeeper
  /** What a server lists is not known once it does not run: why, as a sentence; undefined when that holds no longer. */
  readonly onLost: (installationId: string, message: string | undefined) => void
  /** Listings cannot be written or deleted: a sentence, once; undefined as soon as all is written again. */
  readonly onProblem: (message: string | undefined) => void
}

/**
 * The last known listing of each server (C8): in memory, where reading never waits, and on the disk as
 * `ID.listing.json`. Nothing here throws or rejects.
 */
export class ListingFiles implements Disposable {
  readonly #listings = new Map<string, KeptListing>()
  readonly #waiting = new Set<string>()
  /** The servers whose lost listing was reported. */
  readonly #lost = new Set<string>()
  #writing: Disposable | undefined
  readonly #latch: ErrorLatch

  constructor(private readonly options: ListingFilesOptions) {
    this.#latch = new ErrorLatch(options.onProblem)
  }

  read(installationId: string): KeptListing | undefined {
    return this.#listings.get(installationId)
  }

  /**
   * Reads what earlier runs left of each of these servers and tells `onRead`, one in a turn of its own. What is kept
   * meanwhile is newer and stays.
   */
  async load(
    installationIds: readonly string[],
    onRead: (installationId: string) => void,
  ): Promise<void> {
    for (const installationId of installationIds) {
      await nextTurn()
      const listing = this.#readFile(installationId)
      if (!listing || this.#listings.has(installationId)) continue
      this.#listings.set(installationId, listing)
      onRead(installationId)
    }
  }

  /** Takes what a server lists now; it is written soon. */
  keep(installationId: string, listing: KeptListing): void {
    this.#listings.set(installationId, listing)
    this.#waiting.add(installationId)
    this.#takeBack(installationId)
    this.#writeAfter(WRITE_AFTER_MS)
  }

  /** Forgets a server that is removed. */
  remove(installationId: string): void {
    this.#listings.delete(installationId)
    this.#waiting.delete(installationId)
    this.#takeBack(installationId)
    this.#latch.attempt('Can’t delete saved tool lists', () =>
      rmSync(this.#pathOf(installationId), { force: true }),
    )
  }

  /** Deletes what is kept of servers other than these. */
  sweep(installationIds: readonly string[]): void {
    const { folder } = this.options
    const kept = new Set(installationIds.map(fileStemOf))
    this.#latch.attempt('Can’t delete saved tool lists', () => {
      if (!existsSync(folder)) return
      for (const name of readdirSync(folder)) {
        const stem = OWN_FILE.exec(name)?.[1]
        if (stem !== undefined && !kept.has(stem)) rmSync(join(folder, name), { force: true })
      }
    })
  }

  /** Writes what waits. */
  [Symbol.dispose](): void {
    this.#writing?.[Symbol.dispose]()
    for (const installationId of this.#waiting) this.#write(installationId)
  }

  #readFile(installationId: string): KeptListing | undefined {
    const found = readOwnJson(this.#pathOf(installationId), ListingDocument, MOST_BYTES)
    if (found.kind === 'none') return undefined
    if (found.kind === 'there') {
      if (!isTooDeep(found.value, MAX_DEPTH + OUTER_DEPTH)) return found.value.listing
    }
    // What walks a listing later does so by recursion.
    const reason = found.kind === 'there' ? 'The list is nested too deeply.' : found.reason
    this.#lost.add(installationId)
    this.options.onLost(installationId, `The saved list can’t be used: ${reason}`)
    return undefined
  }

  #takeBack(installationId: string): void {
    if (this.#lost.delete(installationId)) this.options.onLost(installationId, undefined)
  }

  /** One server at a time, so that what else waits gets its turn between. */
  #writeNext(): void {
    this.#writing = undefined
    const [next] = this.#waiting
    if (next === undefined) return
    this.#write(next)
    if (this.#waiting.size > 0) this.#writeAfter(0)
  }

  #writeAfter(ms: number): void {
    this.#writing ??= this.options.time.after(ms, () => this.#writeNext())
  }

  /** One that fails waits for the next listing of its server. */
  #write(installationId: string): void {
    this.#waiting.delete(installationId)
    const listing = this.#listings.get(installationId)
    if (!listing) return
    const path = this.#pathOf(installationId)
    const isWell = this.#latch.attempt('Can’t save tool lists', () =>
      writeOwnText(path, fittingText(listing)),
    )
    if (isWell) this.#latch.set(undefined)
  }

  #pathOf(installationId: string): string {
    return join(this.options.folder, `${fileStemOf(installationId)}.listing.json`)
  }
}

/** A listing as its file has it: without all but its tools, and with a notice of that, where it is too large. Throws a RangeError where its tools alone are too much. */
function fittingText(listing: KeptListing): string {
  const whole = documentOf(listing)
  if (Buffer.byteLength(whole) <= MOST_BYTES) return whole
  const { capabilities } = listing
  const limit = `${MOST_BYTES / 1024 / 1024} MB`
  const notice = `The list is larger than ${limit}, so all but its tools is known only while the server runs.`
  const notices = [...capabilities.notices, notice]
  const fewer = { ...capabilities, resources: [], resourceTemplates: [], prompts: [], notices }
  const text = documentOf({ ...listing, capabilities: fewer, instructions: undefined })
  if (Buffer.byteLength(text) > MOST_BYTES) throw new RangeError(`it has more than ${limit}`)
  return text
}

function documentOf(listing: KeptListing): string {
  return JSON.stringify({ version: 1, listing })
}
