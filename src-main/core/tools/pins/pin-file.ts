import { join } from 'node:path'

import * as z from 'zod'

import { Tool } from '../../../../src-shared/domain/agents/capability'
import { ToolChange } from '../../../../src-shared/domain/agents/tools'
import { attempt } from '../../../../src-shared/domain/attempt'
import {
  fileStemOf,
  type Found,
  putAside,
  readOwnJson,
  removeOwn,
  writeOwnJson,
} from '../../storage/own-file'
import { isToolName } from '../names/tool-names'
import { Hash, type IdentifiedTool, MOST_PINS, PinEvent, type PinMap, ToolPin } from './pin-records'

const PinDocument = z.object({ version: z.literal(1), pins: z.array(ToolPin).max(MOST_PINS) })
/** 10,000 pins have 5 MB at most. */
const MOST_PIN_BYTES = 8 * 1024 * 1024
/** Definitions are bounded in characters, which may have three bytes each. */
const MOST_ARCHIVE_BYTES = 32 * 1024 * 1024

/** What of a server's files cannot be used, and why and what follows from it, as sentences. */
export type LostPins = { readonly what: 'verdicts' | 'history'; readonly message: string }

/**
 * What is kept of the tools of one server in two files: its pins, whose hashes are in memory as well, and its archive,
 * which is read when it is asked for.
 */
export class PinFile {
  readonly pins: PinMap
  /** What was kept of this server before; with `unreadable` it may be there at the next try, and is never written over. */
  readonly before: Found<unknown>['kind']
  readonly #pinPath: string
  readonly #archivePath: string
  readonly #onLost: (lost: LostPins) => void
  #waiting = NO_ARCHIVE
  #isArchiveLost = false
  #isOpened = false
  #holdsLost: boolean

  /** `onLost` is called at most once for each of the files. */
  constructor(folder: string, installationId: string, onLost: (lost: LostPins) => void) {
    const { pinPath, archivePath } = pathsOf(folder, installationId)
    this.#pinPath = pinPath
    this.#archivePath = archivePath
    this.#onLost = onLost
    const found = readOwnJson(this.#pinPath, PinDocument, MOST_PIN_BYTES)
    const kept = found.kind === 'there' ? found.value.pins : []
    const pins = kept.filter(({ name }) => isToolName(name))
    this.pins = new Map(pins.map((pin) => [pin.name, pin]))
    this.before = found.kind
    this.#holdsLost = found.kind === 'lost'
    if (found.kind !== 'lost' && found.kind !== 'unreadable') return
    const until = found.kind === 'lost' ? 'you approve them again' : 'the file is readable'
    const message = `Your tool approvals can’t be used: ${found.reason} All tools need review until ${until}.`
    onLost({ what: 'verdicts', message })
  }

  get isDirty(): boolean {
    return this.#isOpened || this.#waiting.events.length > 0
  }

  /** Has it written also while there are no pins: the server is no new one from now on. */
  open(): void {
    this.#isOpened = true
  }

  /** Every change of `pins` comes with its events; `tools` has those that the events name by hash. */
  add(events: readonly PinEvent[], tools: readonly IdentifiedTool[]): void {
    // Joined immediately: a disk that takes nothing must not make it grow.
    this.#waiting = joinArchives(this.#waiting, archiveOf(events, tools), this.#approved())
  }

  /** With what still waits to be written. */
  readArchive(): ToolArchive {
    return this.#joined(this.#findArchive())
  }

  /** Throws the system's error; what waits then goes on waiting. What was lost is kept beside it, as `….bad`. */
  write(): void {
    // The decisions come first: without its history a server is guarded all the same.
    if (this.#holdsLost) putAside(this.#pinPath)
    this.#holdsLost = false
    writeOwnJson(this.#pinPath, { version: 1, pins: [...this.pins.values()] }, MOST_PIN_BYTES)
    this.#isOpened = false
    if (this.#waiting.events.length === 0) return
    const found = this.#findArchive()
    if (found.kind === 'unreadable') throw new Error(`its history: ${found.reason}`)
    if (found.kind === 'lost') putAside(this.#archivePath)
    writeOwnJson(this.#archivePath, this.#joined(found), MOST_ARCHIVE_BYTES)
    this.#waiting = NO_ARCHIVE
  }

  #findArchive(): Found<ToolArchive> {
    const found = readOwnJson(this.#archivePath, ToolArchive, MOST_ARCHIVE_BYTES)
    if (found.kind === 'lost' && !this.#isArchiveLost) {
      this.#isArchiveLost = true
      this.#onLost({
        what: 'history',
        message: `The tool history can’t be used: ${found.reason} A new history starts, so earlier approvals can’t be compared.`,
      })
    }
    return found
  }

  #joined(found: Found<ToolArchive>): ToolArchive {
    const earlier = found.kind === 'there' ? found.value : NO_ARCHIVE
    return joinArchives(earlier, this.#waiting, this.#approved())
  }

  #approved(): string[] {
    return [...this.pins.values()].flatMap((pin) => pin.approved?.hash ?? [])
  }
}

/** Deletes what is kept of the tools of a server. Throws the system's error. */
export function removePins(folder: string, installationId: string): void {
  for (const path of Object.values(pathsOf(folder, installationId))) removeOwn(path)
}

function pathsOf(folder: string, installationId: string): { pinPath: string; archivePath: string } {
  const stem = join(folder, fileStemOf(installationId))
  return { pinPath: `${stem}.pins.json`, archivePath: `${stem}.history.json` }
}

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
const ToolArchive = z.object({
  version: z.literal(1),
  events: z.array(PinEvent).max(MOST_EVENTS),
  definitions: z.array(KeptDefinition),
})
type ToolArchive = z.infer<typeof ToolArchive>

const NO_ARCHIVE: ToolArchive = { version: 1, events: [], definitions: [] }

/** An archive of what just happened, the events in the order in which they came about. */
function archiveOf(events: readonly PinEvent[], tools: readonly IdentifiedTool[]): ToolArchive {
  const named = new Set(events.map(({ after }) => after))
  const definitions = tools.flatMap(({ hash, tool }) => {
    if (!named.has(hash)) return []
    // One that is nested too deeply to be written counts as too large.
    const size = attempt(() => JSON.stringify(tool).length) ?? Infinity
    return size <= LARGEST_DEFINITION ? [{ hash, size, tool }] : []
  })
  return { version: 1, events: events.toReversed(), definitions }
}

/** Both archives in one, without what there is no room for, and the definitions that nothing names any more. */
function joinArchives(
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
