import type { Tool } from '../../../../src-shared/domain/agents/capability'
import type { ToolChange } from '../../../../src-shared/domain/agents/tools'
import { ErrorLatch } from '../../failure/error-latch'
import {
  definitionHash,
  definitionMeaning,
  type ToolIdentity,
} from '../../mcp/json/definition-identity'
import type { Timekeeper } from '../../ports'
import { type LostPins, PinFile, removePins, toHistory } from './pin-file'
import {
  decidePin,
  type IdentifiedTool,
  type KeptMeaning,
  type Occasion,
  type PinEvent,
  type PinMap,
  type PinnedTool,
  readListing,
  type SeenTool,
} from './pin-records'

/** How long a server may list nothing before that is what it lists, in ms: many load their list while they serve. */
const EMPTY_MS = 60_000
/** A killed app loses no more than what came within it; in ms. */
const WRITE_AFTER_MS = 1_000
/** After a disk that did not take them; in ms. */
const WRITE_AGAIN_AFTER_MS = 30_000

export type ToolPinsOptions = {
  /** Holds two files for each server. */
  readonly folder: string
  readonly time: Timekeeper
  /** What was kept of a server cannot be used, at most once for each of its files; undefined when that holds no longer. */
  readonly onLost: (installationId: string, lost: LostPins | undefined) => void
  /** Pins cannot be written or deleted: a sentence, once; undefined as soon as all is written again. */
  readonly onProblem: (message: string | undefined) => void
}

export type ReviewOptions = {
  /** Of each tool, where the listing that is kept is not as the server wrote it. */
  readonly identities?: readonly ToolIdentity[] | undefined
  /** Its user lets it change its tools. */
  readonly follows?: boolean | undefined
}

type ServerPins = {
  readonly file: PinFile
  /** Whether its listings are approved as they are: until one has a tool, and then until an agent is given one; see `docs/decisions/0023-trust-pins.md`. */
  baseline: 'empty' | 'open' | 'over'
  /** Of its last listing; missing before the first. */
  listing?: { readonly packageVersion: string | undefined }
  /** For an empty list to be over. */
  waiting?: Disposable | undefined
}

/** What was approved of each server's tools. Nothing here throws; what changes is written soon, and by `dispose` immediately. */
export class ToolPins implements Disposable {
  readonly #servers = new Map<string, ServerPins>()
  /** The servers whose file could not be used, which was reported. */
  readonly #lost = new Set<string>()
  #writing: Disposable | undefined
  readonly #latch: ErrorLatch

  constructor(private readonly options: ToolPinsOptions) {
    this.#latch = new ErrorLatch(options.onProblem)
  }

  /** Judges a listing, in its order; until an agent is given one, those of a server are approved as they are. */
  review(
    installationId: string,
    tools: readonly Tool[],
    packageVersion?: string,
    { identities, follows = false }: ReviewOptions = {},
  ): PinnedTool[] {
    const server = this.#serverOf(installationId)
    const { listing: before } = server
    server.listing = { packageVersion }
    // Another package is another first listing: nobody has decided anything of it.
    if (before && before.packageVersion !== packageVersion) this.#endBaseline(server)
    if (tools.length === 0) {
      this.#waitForTools(server)
      return []
    }
    server.waiting?.[Symbol.dispose]()
    server.waiting = undefined
    if (server.baseline === 'empty') server.baseline = 'open'
    const approvesAll = follows || server.baseline === 'open'
    return this.#read(server, identified(server.file.pins, tools, identities), approvesAll)
  }

  /** An agent was given what the server lists now: what comes from now on is a change of it. */
  given(installationId: string): void {
    const server = this.#servers.get(installationId)
    if (server?.baseline === 'open') server.baseline = 'over'
  }

  /** The server serves no longer: an empty list may have been one that was still loaded. */
  serverStopped(installationId: string): void {
    const server = this.#servers.get(installationId)
    server?.waiting?.[Symbol.dispose]()
    if (server) server.waiting = undefined
  }

  /**
   * Approves or rejects tools as they were seen; the names of those that are others by now are given back. `listed` is
   * the listing as it is now, to keep what was approved of it.
   */
  decide(
    installationId: string,
    decision: 'approve' | 'refuse',
    seen: readonly SeenTool[],
    listed: readonly Tool[],
    identities?: readonly ToolIdentity[],
  ): string[] {
    const server = this.#serverOf(installationId)
    const occasion = this.#occasionOf(server)
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
    // The user who decides has seen the first listing: what comes from now on is a change of it.
    server.baseline = 'over'
    this.#add(server, events, identified(server.file.pins, listed, identities))
    return stale
  }

  /** The approved definition, where the tool has one that was not too large to keep. */
  approvedOf(
    installationId: string,
    name: string,
  ): { readonly tool: Tool; readonly at: number } | undefined {
    const { file } = this.#serverOf(installationId)
    const approved = file.pins.get(name)?.approved
    if (!approved) return undefined
    const kept = file.readArchive().definitions.find(({ hash }) => hash === approved.hash)
    return kept && { tool: kept.tool, at: approved.at }
  }

  /** Newest first. */
  history(installationId: string): ToolChange[] {
    return toHistory(this.#serverOf(installationId).file.readArchive())
  }

  /** Forgets a server that is removed. */
  remove(installationId: string): void {
    this.serverStopped(installationId)
    this.#servers.delete(installationId)
    this.#latch.attempt('Can’t delete tool approvals', () =>
      removePins(this.options.folder, installationId),
    )
    this.#takeBack(installationId)
  }

  /** Writes what waits. */
  [Symbol.dispose](): void {
    for (const installationId of this.#servers.keys()) this.serverStopped(installationId)
    this.#writing?.[Symbol.dispose]()
    this.#writing = undefined
    this.#writeAll()
  }

  #serverOf(installationId: string): ServerPins {
    const known = this.#servers.get(installationId)
    if (known) return known
    const { folder, onLost } = this.options
    let lost: LostPins | undefined
    const file = new PinFile(folder, installationId, (now) => {
      lost = now
      if (now.what === 'verdicts' && this.#lost.has(installationId)) return
      this.#lost.add(installationId)
      onLost(installationId, now)
    })
    const baseline = file.before === 'none' ? 'empty' : 'over'
    const server: ServerPins = { file, baseline }
    // It is looked for again each time.
    if (file.before === 'unreadable') return server
    if (lost === undefined) this.#takeBack(installationId)
    this.#servers.set(installationId, server)
    return server
  }

  #takeBack(installationId: string): void {
    if (this.#lost.delete(installationId)) this.options.onLost(installationId, undefined)
  }

  #occasionOf({ listing }: ServerPins): Occasion {
    const { packageVersion } = listing ?? {}
    return { at: this.options.time.now(), ...(packageVersion !== undefined && { packageVersion }) }
  }

  #read(server: ServerPins, listed: readonly IdentifiedTool[], approvesAll: boolean): PinnedTool[] {
    const keptMeaning = keptMeanings(server.file)
    const occasion = { ...this.#occasionOf(server), approvesAll, keptMeaning }
    const { pinned, events } = readListing(server.file.pins, listed, occasion)
    if (events.length > 0) this.#add(server, events, listed)
    return pinned
  }

  /** Takes an empty list for what it is once it has been empty for a while. */
  #waitForTools(server: ServerPins): void {
    if (server.file.before === 'unreadable') return
    server.waiting ??= this.options.time.after(EMPTY_MS, () => {
      server.waiting = undefined
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
      if (!this.#writeAll()) this.#writeAfter(WRITE_AGAIN_AFTER_MS)
    })
  }

  /** Whether nothing waits any more. */
  #writeAll(): boolean {
    const dirty = [...this.#servers.values()].filter(({ file }) => file.isDirty)
    for (const { file } of dirty)
      this.#latch.attempt('Can’t save tool approvals', () => file.write())
    if (dirty.some(({ file }) => file.isDirty)) return false
    this.#latch.set(undefined)
    return true
  }
}

/** A definition that was seen before is not read again for what it means. */
function identified(
  pins: PinMap,
  tools: readonly Tool[],
  identities: readonly ToolIdentity[] | undefined,
): IdentifiedTool[] {
  return tools.map((tool, at) => {
    const given = identities?.[at]
    if (given) return { tool, ...given }
    const hash = definitionHash(tool)
    const pin = pins.get(tool.name)
    const known = pin?.seen === hash ? pin.meaning : undefined
    return { tool, hash, meaning: known ?? definitionMeaning(tool) }
  })
}

/** The meanings of the definitions in an archive, which is read for the first that is asked for. */
function keptMeanings(file: PinFile): KeptMeaning {
  let definitions: ReadonlyMap<string, Tool> | undefined
  return (hash) => {
    definitions ??= new Map(file.readArchive().definitions.map((one) => [one.hash, one.tool]))
    const tool = definitions.get(hash)
    return tool && definitionMeaning(tool)
  }
}
