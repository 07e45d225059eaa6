import type { Tool } from '../../../../src-shared/domain/agents/capability'
import type { ToolChange } from '../../../../src-shared/domain/agents/tools'
import { ErrorLatch } from '../../failure/error-latch'
import {
  definitionHash,
  definitionMeaning,
  type ToolIdentity,
} from '../../mcp/json/definition-identity'
import type { Timekeeper } from '../../ports'
import { PinFile, removePins, toHistory, type UnusablePins } from './pin-file'
import {
  decidePin,
  type EventContext,
  type IdentifiedTool,
  type PinEvent,
  type PinMap,
  type PinnedTool,
  readListing,
  type ReviewedTool,
  type StoredMeaningOf,
} from './pin-records'

/** Time after which an empty list is accepted, in ms: many servers load their list while they serve. */
const EMPTY_LIST_MS = 60_000
/** Delay before changes are written, in ms; a killed app loses no more. */
const WRITE_AFTER_MS = 1_000
/** Delay after a failed write, in ms. */
const WRITE_RETRY_MS = 30_000

export type ToolPinsOptions = {
  /** Contains two files per server. */
  readonly folder: string
  readonly time: Timekeeper
  /** A file of a server is unusable; called at most once per file, and with undefined when that no longer holds. */
  readonly onLost: (installationId: string, lost: UnusablePins | undefined) => void
  /** Pins can't be written or deleted. Gets a sentence, once, and undefined as soon as everything is written. */
  readonly onProblem: (message: string | undefined) => void
}

export type ReviewOptions = {
  /** Original identities of the tools, if the stored listing differs from the server's. */
  readonly identities?: readonly ToolIdentity[] | undefined
  /** The user lets the server change its tools. */
  readonly follows?: boolean | undefined
}

type ServerPins = {
  readonly file: PinFile
  /**
   * Whether its listings are approved automatically: until one has a tool, and then until an agent gets one; see
   * `docs/decisions/0023-trust-pins.md`.
   */
  baseline: 'empty' | 'open' | 'over'
  /** The last listing; undefined before the first. */
  listing?: { readonly packageVersion: string | undefined }
  /** Timer until an empty list is accepted. */
  emptyTimer?: Disposable | undefined
}

/** The approvals of each server's tools. Nothing here throws; changes are written soon, and immediately by `dispose`. */
export class ToolPins implements Disposable {
  readonly #servers = new Map<string, ServerPins>()
  /** Servers whose unusable file was reported. */
  readonly #lost = new Set<string>()
  #writing: Disposable | undefined
  readonly #latch: ErrorLatch

  constructor(private readonly options: ToolPinsOptions) {
    this.#latch = new ErrorLatch(options.onProblem)
  }

  /** Decides on a listing, in its order; until an agent gets one, a server's listings are approved automatically. */
  review(
    installationId: string,
    tools: readonly Tool[],
    packageVersion?: string,
    { identities, follows = false }: ReviewOptions = {},
  ): PinnedTool[] {
    const server = this.#serverOf(installationId)
    const { listing: before } = server
    server.listing = { packageVersion }
    // Another package version has another listing that nobody decided on.
    if (before && before.packageVersion !== packageVersion) this.#endBaseline(server)
    if (tools.length === 0) {
      this.#acceptEmptyLater(server)
      return []
    }
    server.emptyTimer?.[Symbol.dispose]()
    server.emptyTimer = undefined
    if (server.baseline === 'empty') server.baseline = 'open'
    const approvesAll = follows || server.baseline === 'open'
    return this.#read(server, identified(server.file.pins, tools, identities), approvesAll)
  }

  /** Records that an agent got the server's current listing; later changes need review. */
  given(installationId: string): void {
    const server = this.#servers.get(installationId)
    if (server?.baseline === 'open') server.baseline = 'over'
  }

  /** Handles the stop of a server: its empty list may still have been loading. */
  serverStopped(installationId: string): void {
    const server = this.#servers.get(installationId)
    server?.emptyTimer?.[Symbol.dispose]()
    if (server) server.emptyTimer = undefined
  }

  /**
   * Approves or rejects tools as they were shown; returns the names of those that have changed since. `listed` is the current listing, to
   * store what was approved of it.
   */
  decide(
    installationId: string,
    decision: 'approve' | 'reject',
    seen: readonly ReviewedTool[],
    listed: readonly Tool[],
    identities?: readonly ToolIdentity[],
  ): string[] {
    const server = this.#serverOf(installationId)
    const occasion = this.#eventContextOf(server)
    const listedNames = new Set(listed.map(({ name }) => name))
    const stale: string[] = []
    const events: PinEvent[] = []
    for (const { name, hash } of seen) {
      const pin = server.file.pins.get(name)
      if (!pin?.isListed || pin.seen !== hash || !listedNames.has(name)) {
        stale.push(name)
        continue
      }
      const event = decidePin(pin, decision, occasion)
      if (event) events.push(event)
    }
    if (events.length === 0) return stale
    // The user who decides has seen the first listing, so later changes need review.
    server.baseline = 'over'
    this.#add(server, events, identified(server.file.pins, listed, identities))
    return stale
  }

  /** Returns the approved definition, if there is one that was small enough to store. */
  approvedOf(
    installationId: string,
    name: string,
  ): { readonly tool: Tool; readonly at: number } | undefined {
    const { file } = this.#serverOf(installationId)
    const approved = file.pins.get(name)?.approved
    if (!approved) return undefined
    const stored = file.readArchive().definitions.find(({ hash }) => hash === approved.hash)
    return stored && { tool: stored.tool, at: approved.at }
  }

  /** Returns events, newest first. */
  history(installationId: string): ToolChange[] {
    return toHistory(this.#serverOf(installationId).file.readArchive())
  }

  /** Forgets a removed server. */
  remove(installationId: string): void {
    this.serverStopped(installationId)
    this.#servers.delete(installationId)
    this.#latch.attempt('Can’t delete tool approvals', () =>
      removePins(this.options.folder, installationId),
    )
    this.#clearLost(installationId)
  }

  /** Writes pending changes. */
  [Symbol.dispose](): void {
    for (const installationId of this.#servers.keys()) this.serverStopped(installationId)
    this.#writing?.[Symbol.dispose]()
    this.#writing = undefined
    this.#writeAll()
  }

  #serverOf(installationId: string): ServerPins {
    const existing = this.#servers.get(installationId)
    if (existing) return existing
    const { folder, onLost } = this.options
    let lost: UnusablePins | undefined
    const file = new PinFile(folder, installationId, (now) => {
      lost = now
      if (now.what === 'verdicts' && this.#lost.has(installationId)) return
      this.#lost.add(installationId)
      onLost(installationId, now)
    })
    const baseline = file.before === 'none' ? 'empty' : 'over'
    const server: ServerPins = { file, baseline }
    // An unreadable file is tried again each time.
    if (file.before === 'unreadable') return server
    if (lost === undefined) this.#clearLost(installationId)
    this.#servers.set(installationId, server)
    return server
  }

  #clearLost(installationId: string): void {
    if (this.#lost.delete(installationId)) this.options.onLost(installationId, undefined)
  }

  #eventContextOf({ listing }: ServerPins): EventContext {
    const { packageVersion } = listing ?? {}
    return { at: this.options.time.now(), ...(packageVersion !== undefined && { packageVersion }) }
  }

  #read(server: ServerPins, listed: readonly IdentifiedTool[], approvesAll: boolean): PinnedTool[] {
    const keptMeaning = storedMeanings(server.file)
    const occasion = { ...this.#eventContextOf(server), approvesAll, keptMeaning }
    const { pinned, events } = readListing(server.file.pins, listed, occasion)
    if (events.length > 0) this.#add(server, events, listed)
    return pinned
  }

  /** Accepts an empty list once it has been empty for a while. */
  #acceptEmptyLater(server: ServerPins): void {
    if (server.file.before === 'unreadable') return
    server.emptyTimer ??= this.options.time.after(EMPTY_LIST_MS, () => {
      server.emptyTimer = undefined
      this.#endBaseline(server)
      this.#read(server, [], false)
    })
  }

  #endBaseline(server: ServerPins): void {
    if (server.baseline === 'empty') {
      server.file.open()
      this.#writeAfter(WRITE_AFTER_MS)
    }
    server.baseline = 'over'
  }

  #add({ file }: ServerPins, events: readonly PinEvent[], tools: readonly IdentifiedTool[]): void {
    file.add(events, tools)
    this.#writeAfter(WRITE_AFTER_MS)
  }

  #writeAfter(ms: number): void {
    this.#writing ??= this.options.time.after(ms, () => {
      this.#writing = undefined
      if (!this.#writeAll()) this.#writeAfter(WRITE_RETRY_MS)
    })
  }

  /** Writes all pending changes; returns whether that succeeded. */
  #writeAll(): boolean {
    const dirty = [...this.#servers.values()].filter(({ file }) => file.isDirty)
    for (const { file } of dirty)
      this.#latch.attempt('Can’t save tool approvals', () => file.write())
    if (dirty.some(({ file }) => file.isDirty)) return false
    this.#latch.set(undefined)
    return true
  }
}

/** Returns the identities of tools; the meaning of a known definition isn't computed again. */
function identified(
  pins: PinMap,
  tools: readonly Tool[],
  identities: readonly ToolIdentity[] | undefined,
): IdentifiedTool[] {
  return tools.map((tool, at) => {
    const original = identities?.[at]
    if (original) return { tool, ...original }
    const hash = definitionHash(tool)
    const pin = pins.get(tool.name)
    const storedMeaning = pin?.seen === hash ? pin.meaning : undefined
    return { tool, hash, meaning: storedMeaning ?? definitionMeaning(tool) }
  })
}

/** Returns the meanings of definitions in an archive, which is read at the first request. */
function storedMeanings(file: PinFile): StoredMeaningOf {
  let definitions: ReadonlyMap<string, Tool> | undefined
  return (hash) => {
    definitions ??= new Map(file.readArchive().definitions.map((one) => [one.hash, one.tool]))
    const tool = definitions.get(hash)
    return tool && definitionMeaning(tool)
  }
}
