import { join } from 'node:path'

import * as z from 'zod'

import type { RemoteTransport } from '../../mcp/connections/http-connection'
import { ProtocolMode } from '../../mcp/negotiate'
import { recallOwnJson, writeOwnJson } from '../../storage/own-file'

const FILE = 'protocols.json'
const MAX_BYTES = 1_000_000
const MOST_KEPT = 2_000
const DAY_MS = 86_400_000

const RestartDecision = z.object({
  protocolMode: ProtocolMode.optional(),
  transport: z.enum(['streamable-http', 'sse']).optional(),
  /** It was not said: it ended on the question, which may have had another reason. */
  isGuess: z.boolean().optional(),
  /** Epoch ms. */
  at: z.number(),
})
type RestartDecision = z.infer<typeof RestartDecision>

const Verdicts = z.record(z.string(), RestartDecision)

type Found = {
  readonly protocolMode?: ProtocolMode | undefined
  readonly transport?: RemoteTransport
  readonly isGuess?: true
}

/** What one server was found to speak. */
export type SpokenMemory = {
  readonly protocolMode: ProtocolMode | undefined
  readonly transport: RemoteTransport | undefined
  /** What is given is kept beside what was; what cannot be written is remembered for this run. */
  remember(found: Found): void
}

/**
 * Remembers which era of the protocol and which HTTP transport a version of a server speaks, in a file of the profile
 * folder. What may be another version tomorrow is asked again after a day. A file that cannot be read counts as empty:
 * all it costs is a question.
 */
export class ProtocolVersionCache {
  readonly #path: string
  readonly #now: () => number
  #verdicts: Map<string, RestartDecision> | undefined

  constructor(folder: string, now: () => number = Date.now) {
    this.#path = join(folder, FILE)
    this.#now = now
  }

  /** `key` names a version of a server, or a server whose version is not known; `isVersion` tells which. */
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
    const verdicts = this.#read()
    const before = verdicts.get(key)
    // A guess that worked stays a guess.
    if (before && before.protocolMode === found.protocolMode && this.#now() - before.at < DAY_MS) {
      if (found.transport === undefined || found.transport === before.transport) return
    }
    const next: RestartDecision = { ...before, isGuess: undefined, ...found, at: this.#now() }
    verdicts.delete(key)
    verdicts.set(key, next)
    for (const oldest of verdicts.keys()) {
      if (verdicts.size <= MOST_KEPT) break
      verdicts.delete(oldest)
    }
    this.#write(verdicts)
  }

  #read(): Map<string, RestartDecision> {
    this.#verdicts ??= new Map(Object.entries(recallOwnJson(this.#path, Verdicts, MAX_BYTES) ?? {}))
    return this.#verdicts
  }

  #write(verdicts: ReadonlyMap<string, RestartDecision>): void {
    try {
      writeOwnJson(this.#path, Object.fromEntries(verdicts), MAX_BYTES)
    } catch {
      // A full disk: it is known for this run, and asked for again in the next.
    }
  }
}
