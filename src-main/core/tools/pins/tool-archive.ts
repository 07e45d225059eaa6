import * as z from 'zod'

import { Tool } from '../../../../src-shared/domain/agents/capability'
import { ToolChange } from '../../../../src-shared/domain/agents/tools'
import { attempt } from '../../../../src-shared/domain/attempt'
import { Hash, PinEvent } from './pin-records'

/** Events of each kind; with a new one the oldest of its kind goes, so that no server can wash away what its user decided. */
const MOST_OF_A_KIND = 200
const MOST_EVENTS = MOST_OF_A_KIND * ToolChange.shape.kind.options.length
/** Characters of JSON: a larger definition is judged by its hash as any other, but there is nothing to compare it with. */
const LARGEST_DEFINITION = 256 * 1024
/** Characters of JSON that the definitions of one server, or of its history as it is shown, have together. */
const MOST_CHARACTERS = 8 * 1024 * 1024

/** A definition, and the characters of its JSON. */
const KeptDefinition = z.object({ hash: Hash, size: z.number().int().positive(), tool: Tool })
type KeptDefinition = z.infer<typeof KeptDefinition>

/** What happened to the tools of one server, newest first, and the definitions that tell of it. */
export const ToolArchive = z.object({
  version: z.literal(1),
  events: z.array(PinEvent).max(MOST_EVENTS),
  definitions: z.array(KeptDefinition),
})
export type ToolArchive = z.infer<typeof ToolArchive>

export const NO_ARCHIVE: ToolArchive = { version: 1, events: [], definitions: [] }

/** An archive of what just happened, the events in the order in which they came about. */
export function archiveOf(
  events: readonly PinEvent[],
  tools: Iterable<readonly [hash: string, tool: Tool]>,
): ToolArchive {
  const definitions = [...tools].map(([hash, tool]) => {
    // One that is nested too deeply to be written counts as too large.
    const size = attempt(() => JSON.stringify(tool).length) ?? Infinity
    return { hash, size, tool }
  })
  return {
    version: 1,
    events: events.toReversed(),
    definitions: definitions.filter(({ size }) => size <= LARGEST_DEFINITION),
  }
}

/** Both archives in one, without what there is no room for, and the definitions that nothing names any more. */
export function joinArchives(
  older: ToolArchive,
  newer: ToolArchive,
  approved: readonly string[],
): ToolArchive {
  const counts = new Map<PinEvent['kind'], number>()
  const events = [...newer.events, ...older.events].filter(({ kind }) => {
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    return count <= MOST_OF_A_KIND
  })
  // Those that are compared with come first, then those of the newest events.
  const named = new Set([...approved, ...events.flatMap(({ before, after }) => [after, before])])
  const take = takerOf([...older.definitions, ...newer.definitions])
  return { version: 1, events, definitions: [...named].flatMap((hash) => take(hash) ?? []) }
}

/** The history of an archive with its definitions, as far as there is room to show them. */
export function toHistory({ events, definitions }: ToolArchive): ToolChange[] {
  const take = takerOf(definitions)
  return events.map(({ before, after, ...event }) => {
    const now = take(after)?.tool
    const earlier = take(before)?.tool
    return { ...event, ...(earlier && { before: earlier }), ...(now && { after: now }) }
  })
}

/** Gives definitions by their hashes, as long as there is room for them. */
function takerOf(
  definitions: readonly KeptDefinition[],
): (hash: string | undefined) => KeptDefinition | undefined {
  const known = new Map(definitions.map((one) => [one.hash, one]))
  let room = MOST_CHARACTERS
  return (hash) => {
    const one = hash === undefined ? undefined : known.get(hash)
    if (!one || one.size > room) return undefined
    room -= one.size
    return one
  }
}
