import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'

import * as z from 'zod'

import { Capabilities } from '../../../../src-shared/domain/agents/capability'
import { ErrorLatch } from '../../failure/error-latch'
import { isTooDeep, MAX_DEPTH } from '../../mcp/json/json-rpc'
import type { Timekeeper } from '../../ports'
import { fileStemOf, readOwnJson, writeOwnJson } from '../../storage/own-file'
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
/** A larger file would hold up the app at its start; the last one that fitted stays. */
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
  /** Those that are not written yet. */
  readonly #waiting = new Map<string, KeptListing>()
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
    this.#waiting.set(installationId, listing)
    this.#takeBack(installationId)
    this.#writing ??= this.options.time.after(WRITE_AFTER_MS, () => this.#writeWaiting())
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
    this.#writeWaiting()
  }

  #readFile(installationId: string): KeptListing | undefined {
    const found = readOwnJson(this.#pathOf(installationId), ListingDocument, MOST_BYTES)
    if (found.kind === 'none') return undefined
    // What walks a listing later does so by recursion.
    if (found.kind === 'there' && !isTooDeep(found.value, MAX_DEPTH + OUTER_DEPTH))
      return found.value.listing
    const reason = found.kind === 'there' ? 'The list is nested too deeply.' : found.reason
    this.#lost.add(installationId)
    this.options.onLost(installationId, `The saved list can’t be used: ${reason}`)
    return undefined
  }

  #takeBack(installationId: string): void {
    if (this.#lost.delete(installationId)) this.options.onLost(installationId, undefined)
  }

  /** One that fails waits for the next listing of its server. */
  #writeWaiting(): void {
    this.#writing = undefined
    for (const [installationId, listing] of this.#waiting) {
      this.#waiting.delete(installationId)
      const isWell = this.#latch.attempt('Can’t save tool lists', () =>
        writeOwnJson(this.#pathOf(installationId), { version: 1, listing }, MOST_BYTES),
      )
      if (isWell) this.#latch.set(undefined)
    }
  }

  #pathOf(installationId: string): string {
    return join(this.options.folder, `${fileStemOf(installationId)}.listing.json`)
  }
}
