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

/** A server's last listing. */
export const StoredListing = z.object({
  capabilities: Capabilities,
  /** The server's own instructions; untrusted. */
  instructions: z.string().optional(),
  /** Version of the package that returned it, if known. */
  packageVersion: z.string().optional(),
  /** Epoch ms. */
  listedAt: z.number(),
  /** Identities of the original tools, in order, if secrets in the listing are masked. */
  identities: z.array(z.object({ hash: Hash, meaning: Hash })).optional(),
})
export type StoredListing = z.infer<typeof StoredListing>

const ListingDocument = z.object({ version: z.literal(1), listing: StoredListing })
/** Nesting of the document around a tool. */
const OUTER_DEPTH = 5
/** A larger file would slow down the app's start; the last one that fitted stays. */
const MAX_BYTES = 16 * 1024 * 1024
/** Delay before a listing is written, in ms, so that later ones of the server replace it; a killed app loses no more. */
const WRITE_AFTER_MS = 1_000
const OWN_FILE = /^([\w-]{1,64})\.listing\.json(?:\.new)?$/u

export type ListingFilesOptions = {
  readonly folder: string
  readonly time: Timekeeper
  /** The lists of a stopped server are unknown. Gets the reason as a sentence, and undefined when that no longer holds. */
  readonly onLost: (installationId: string, message: string | undefined) => void
  /** Listings can't be written or deleted. Gets a sentence, once, and undefined as soon as everything is written. */
  readonly onProblem: (message: string | undefined) => void
}

/**
 * The last known listing of each server (C8): in memory, where reading never waits, and on disk as `ID.listing.json`. Nothing here throws
 * or rejects.
 */
export class ListingFiles implements Disposable {
  readonly #listings = new Map<string, StoredListing>()
  /** Listings that aren't written yet. */
  readonly #unwritten = new Map<string, StoredListing>()
  /** Servers whose lost listing was reported. */
  readonly #lost = new Set<string>()
  #writing: Disposable | undefined
  readonly #latch: ErrorLatch

  constructor(private readonly options: ListingFilesOptions) {
    this.#latch = new ErrorLatch(options.onProblem)
  }

  read(installationId: string): StoredListing | undefined {
    return this.#listings.get(installationId)
  }

  /** Reads the listings of these servers from earlier runs and calls `onRead`, each in its own turn. Newer listings stay. */
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

  /** Stores a server's current listing; it is written soon. */
  store(installationId: string, listing: StoredListing): void {
    this.#listings.set(installationId, listing)
    this.#unwritten.set(installationId, listing)
    this.#clearLost(installationId)
    this.#writing ??= this.options.time.after(WRITE_AFTER_MS, () => this.#writePending())
  }

  /** Forgets a removed server. */
  remove(installationId: string): void {
    this.#listings.delete(installationId)
    this.#unwritten.delete(installationId)
    this.#clearLost(installationId)
    this.#latch.attempt('Can’t delete saved tool lists', () =>
      rmSync(this.#pathOf(installationId), { force: true }),
    )
  }

  /** Deletes the listings of all other servers. */
  sweep(installationIds: readonly string[]): void {
    const { folder } = this.options
    const retained = new Set(installationIds.map(fileStemOf))
    this.#latch.attempt('Can’t delete saved tool lists', () => {
      if (!existsSync(folder)) return
      for (const name of readdirSync(folder)) {
        const stem = OWN_FILE.exec(name)?.[1]
        if (stem !== undefined && !retained.has(stem)) rmSync(join(folder, name), { force: true })
      }
    })
  }

  /** Writes pending listings. */
  [Symbol.dispose](): void {
    this.#writing?.[Symbol.dispose]()
    this.#writePending()
  }

  #readFile(installationId: string): StoredListing | undefined {
    const found = readOwnJson(this.#pathOf(installationId), ListingDocument, MAX_BYTES)
    if (found.kind === 'none') return undefined
    // Later code walks a listing recursively.
    if (found.kind === 'there' && !isTooDeep(found.value, MAX_DEPTH + OUTER_DEPTH))
      return found.value.listing
    const reason = found.kind === 'there' ? 'The list is nested too deeply.' : found.reason
    this.#lost.add(installationId)
    this.options.onLost(installationId, `The saved list can’t be used: ${reason}`)
    return undefined
  }

  #clearLost(installationId: string): void {
    if (this.#lost.delete(installationId)) this.options.onLost(installationId, undefined)
  }

  /** A failed one waits for the next listing of its server. */
  #writePending(): void {
    this.#writing = undefined
    for (const [installationId, listing] of this.#unwritten) {
      this.#unwritten.delete(installationId)
      const isWritten = this.#latch.attempt('Can’t save tool lists', () =>
        writeOwnJson(this.#pathOf(installationId), { version: 1, listing }, MAX_BYTES),
      )
      if (isWritten) this.#latch.set(undefined)
    }
  }

  #pathOf(installationId: string): string {
    return join(this.options.folder, `${fileStemOf(installationId)}.listing.json`)
  }
}
