import { join } from 'node:path'

import * as z from 'zod'

import { keepNewest } from '../../lifecycle/keep-newest'
import type { RemoteTransport } from '../../mcp/connections/http-connection'
import { ProtocolMode } from '../../mcp/negotiate'
import { recallOwnJson, writeOwnJson } from '../../storage/own-file'

const FILE = 'protocols.json'
const MAX_BYTES = 1_000_000
const MOST_KEPT = 2_000
const DAY_MS = 86_400_000

const ProbeResult = z.object({
  protocolMode: ProtocolMode.optional(),
  transport: z.enum(['streamable-http', 'sse']).optional(),
  /** The server ended on the probe, which may have had another reason. */
  isGuess: z.boolean().optional(),
  /** Epoch ms. */
  at: z.number(),
})
type ProbeResult = z.infer<typeof ProbeResult>

const ProbeResults = z.record(z.string(), ProbeResult)

type Found = {
  readonly protocolMode?: ProtocolMode | undefined
  readonly transport?: RemoteTransport
  readonly isGuess?: true
}

/** The protocol version and transport of one server, as far as they are known. */
export type SpokenMemory = {
  readonly protocolMode: ProtocolMode | undefined
  readonly transport: RemoteTransport | undefined
  /** Keeps what is given beside what is known; where the file can't be written, for this run only. */
  remember(found: Found): void
}

/**
 * Remembers in a file of the profile folder which protocol version and HTTP transport a version of a server uses. A
 * server that may be another version tomorrow is probed again after a day. A file that can't be read counts as empty:
 * all that costs is a probe.
 */
export class ProtocolVersionCache {
  readonly #path: string
  readonly #now: () => number
  #results: Map<string, ProbeResult> | undefined

  constructor(folder: string, now: () => number = Date.now) {
    this.#path = join(folder, FILE)
    this.#now = now
  }

  /** `key`: a version of a server where `isVersion`, otherwise a server of unknown version. */
  of(key: string, isVersion: boolean): SpokenMemory {
    const known = this.#read().get(key)
    const isLasting = isVersion && known?.isGuess !== true
    const isFresh = known && (isLasting || this.#now() - known.at < DAY_MS)
    return {
      protocolMode: isFresh ? known.protocolMode : undefined,
      transport: isFresh ? known.transport : undefined,
      remember: (found) => this.#remember(key, found),
    }
  }

  #remember(key: string, found: Found): void {
    const results = this.#read()
    const before = results.get(key)
    // A guess that worked stays a guess.
    if (before && before.protocolMode === found.protocolMode && this.#now() - before.at < DAY_MS) {
      if (found.transport === undefined || found.transport === before.transport) return
    }
    const next: ProbeResult = { ...before, isGuess: undefined, ...found, at: this.#now() }
    keepNewest(results, key, next, MOST_KEPT)
    this.#write(results)
  }

  #read(): Map<string, ProbeResult> {
    this.#results ??= new Map(
      Object.entries(recallOwnJson(this.#path, ProbeResults, MAX_BYTES) ?? {}),
    )
    return this.#results
  }

  #write(results: ReadonlyMap<string, ProbeResult>): void {
    try {
      writeOwnJson(this.#path, Object.fromEntries(results), MAX_BYTES)
    } catch {
      // A full disk: the result is known for this run, and probed again in the next.
    }
  }
}
