import { join } from 'node:path'

import * as z from 'zod'

import { Tool } from '../../../../src-shared/domain/agents/capability'
import { ToolChange } from '../../../../src-shared/domain/agents/tools'
import { attempt } from '../../../../src-shared/domain/attempt'
import {
  fileStemOf,
  type Found,
  moveToBad,
  readOwnJson,
  removeOwn,
  writeOwnJson,
} from '../../storage/own-file'
import { isToolName } from '../names/tool-names'
import { Hash, type IdentifiedTool, MAX_PINS, PinEvent, type PinMap, ToolPin } from './pin-records'

const PinDocument = z.object({ version: z.literal(1), pins: z.array(ToolPin).max(MAX_PINS) })
/** 10,000 pins take at most 5 MB. */
const MAX_PIN_BYTES = 8 * 1024 * 1024
/** Definitions are limited in characters, which may take three bytes each. */
const MAX_ARCHIVE_BYTES = 32 * 1024 * 1024

/** The unusable file of a server, with the reason and the consequence as sentences. */
export type UnusablePins = { readonly what: 'verdicts' | 'history'; readonly message: string }

/** Stores one server's tools in two files: its pins, whose hashes are also in memory, and its archive, which is read on demand. */
export class PinFile {
  readonly pins: PinMap
  /** State of the pin file at the start; an `unreadable` one may be readable at the next attempt, and is never overwritten. */
  readonly before: Found<unknown>['kind']
  readonly #pinPath: string
  readonly #archivePath: string
  readonly #onLost: (lost: UnusablePins) => void
  #pending = NO_ARCHIVE
  #isArchiveReported = false
  #isOpened = false
  #isCorrupt: boolean

  /** `onLost` is called at most once per file. */
  constructor(folder: string, installationId: string, onLost: (lost: UnusablePins) => void) {
    const { pinPath, archivePath } = pathsOf(folder, installationId)
    this.#pinPath = pinPath
    this.#archivePath = archivePath
    this.#onLost = onLost
    const found = readOwnJson(this.#pinPath, PinDocument, MAX_PIN_BYTES)
    const stored = found.kind === 'there' ? found.value.pins : []
    const pins = stored.filter(({ name }) => isToolName(name))
    this.pins = new Map(pins.map((pin) => [pin.name, pin]))
    this.before = found.kind
    this.#isCorrupt = found.kind === 'lost'
    if (found.kind !== 'lost' && found.kind !== 'unreadable') return
    const until = found.kind === 'lost' ? 'you approve them again' : 'the file is readable'
    const message = `Your tool approvals can’t be used: ${found.reason} All tools need review until ${until}.`
    onLost({ what: 'verdicts', message })
  }

  get isDirty(): boolean {
    return this.#isOpened || this.#pending.events.length > 0
  }

  /** Also writes the file without pins, so that the server is no longer a new one. */
  open(): void {
    this.#isOpened = true
  }

  /** Adds the events of a change of `pins`, which also mark the files for writing; `tools` has the definitions named by hash. */
  add(events: readonly PinEvent[], tools: readonly IdentifiedTool[]): void {
    // Joined immediately, so that a failing disk doesn't make it grow.
    this.#pending = joinArchives(this.#pending, archiveOf(events, tools), this.#approved())
  }

  /** Returns the archive including pending events. */
  readArchive(): ToolArchive {
    return this.#joined(this.#loadArchive())
  }

  /** Writes pending changes; throws the system's error and keeps them then. An unusable file is kept as `….bad` in the same folder. */
  write(): void {
    // The decisions come first: they guard a server even without its history.
    if (this.#isCorrupt) moveToBad(this.#pinPath)
    this.#isCorrupt = false
    writeOwnJson(this.#pinPath, { version: 1, pins: [...this.pins.values()] }, MAX_PIN_BYTES)
    this.#isOpened = false
    if (this.#pending.events.length === 0) return
    const found = this.#loadArchive()
    if (found.kind === 'unreadable') throw new Error(`its history: ${found.reason}`)
    if (found.kind === 'lost') moveToBad(this.#archivePath)
    writeOwnJson(this.#archivePath, this.#joined(found), MAX_ARCHIVE_BYTES)
    this.#pending = NO_ARCHIVE
  }

  #loadArchive(): Found<ToolArchive> {
    const found = readOwnJson(this.#archivePath, ToolArchive, MAX_ARCHIVE_BYTES)
    if (found.kind === 'lost' && !this.#isArchiveReported) {
      this.#isArchiveReported = true
      this.#onLost({
        what: 'history',
        message: `The tool history can’t be used: ${found.reason} A new history starts, so earlier approvals can’t be compared.`,
      })
    }
    return found
  }

  #joined(found: Found<ToolArchive>): ToolArchive {
    const stored = found.kind === 'there' ? found.value : NO_ARCHIVE
    return joinArchives(stored, this.#pending, this.#approved())
  }

  #approved(): string[] {
    return [...this.pins.values()].flatMap((pin) => pin.approved?.hash ?? [])
  }
}

/** Deletes the files of a server's tools. Throws the system's error. */
export function removePins(folder: string, installationId: string): void {
  for (const path of Object.values(pathsOf(folder, installationId))) removeOwn(path)
}

function pathsOf(folder: string, installationId: string): { pinPath: string; archivePath: string } {
  const stem = join(folder, fileStemOf(installationId))
  return { pinPath: `${stem}.pins.json`, archivePath: `${stem}.history.json` }
}

/** Maximum events per kind; the oldest of the same kind is dropped, so that no server can displace its user's decisions. */
const MAX_OF_A_KIND = 200
const MAX_EVENTS = MAX_OF_A_KIND * ToolChange.shape.kind.options.length
/** Maximum characters of a stored definition's JSON; a larger one is compared by hash only. */
const MAX_DEFINITION_SIZE = 256 * 1024
/** Maximum characters of JSON of all definitions of one server, and of its history as shown. */
const MAX_CHARACTERS = 8 * 1024 * 1024

/** A definition with the length of its JSON. */
const StoredDefinition = z.object({ hash: Hash, size: z.number().int().positive(), tool: Tool })
type StoredDefinition = z.infer<typeof StoredDefinition>

/** The events of one server's tools, newest first, and their definitions. */
const ToolArchive = z.object({
  version: z.literal(1),
  events: z.array(PinEvent).max(MAX_EVENTS),
  definitions: z.array(StoredDefinition),
})
type ToolArchive = z.infer<typeof ToolArchive>

const NO_ARCHIVE: ToolArchive = { version: 1, events: [], definitions: [] }

/** Makes an archive of new events, given in chronological order. */
function archiveOf(events: readonly PinEvent[], tools: readonly IdentifiedTool[]): ToolArchive {
  const named = new Set(events.map(({ after }) => after))
  const definitions = tools.flatMap(({ hash, tool }) => {
    if (!named.has(hash)) return []
    // A definition nested too deeply to serialize counts as too large.
    const size = attempt(() => JSON.stringify(tool).length) ?? Infinity
    return size <= MAX_DEFINITION_SIZE ? [{ hash, size, tool }] : []
  })
  return { version: 1, events: events.toReversed(), definitions }
}

/** Joins two archives, without what exceeds the limits and without unreferenced definitions. */
function joinArchives(
  older: ToolArchive,
  newer: ToolArchive,
  approved: readonly string[],
): ToolArchive {
  const counts = new Map<PinEvent['kind'], number>()
  const events = [...newer.events, ...older.events].filter(({ kind }) => {
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    return count <= MAX_OF_A_KIND
  })
  // Definitions used for comparison come first, then those of the newest events.
  const named = new Set([...approved, ...events.flatMap(({ before, after }) => [after, before])])
  const definitionOf = limitedLookup([...older.definitions, ...newer.definitions])
  return { version: 1, events, definitions: [...named].flatMap((hash) => definitionOf(hash) ?? []) }
}

/** Returns the history of an archive with its definitions, as far as the size limit allows. */
export function toHistory({ events, definitions }: ToolArchive): ToolChange[] {
  const definitionOf = limitedLookup(definitions)
  return events.map(({ before, after, ...event }) => {
    const current = definitionOf(after)?.tool
    const previous = definitionOf(before)?.tool
    return { ...event, ...(previous && { before: previous }), ...(current && { after: current }) }
  })
}

/** Returns a lookup of definitions by hash that stops at the size limit. */
function limitedLookup(
  definitions: readonly StoredDefinition[],
): (hash: string | undefined) => StoredDefinition | undefined {
  const byHash = new Map(definitions.map((one) => [one.hash, one]))
  let room = MAX_CHARACTERS
  return (hash) => {
    const one = hash === undefined ? undefined : byHash.get(hash)
    if (!one || one.size > room) return undefined
    room -= one.size
    return one
  }
}
