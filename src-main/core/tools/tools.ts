import { isDeepStrictEqual } from 'node:util'

import type { Capabilities } from '../../../src-shared/domain/agents/capability'
import type {
  AgentContext,
  OffSuggestion,
  ToolChange,
  ToolDetail,
  ToolsState,
  ToolView,
} from '../../../src-shared/domain/agents/tools'
import { AppError } from '../../../src-shared/domain/app-error'
import type { Installation } from '../../../src-shared/domain/installation/installation'
import type { ProfileDocument } from '../installation/store/profile-document'
import { background } from '../lifecycle/background'
import { Emitter } from '../lifecycle/emitter'
import { Throttle } from '../lifecycle/throttle'
import { identityOf } from '../mcp/json/definition-identity'
import type { ServerDirectory } from '../servers/server-directory'
import { agentContext } from './context/agent-context'
import type { ListingFiles } from './directory/listing-files'
import { maskedListing } from './directory/masked-listing'
import { ReviewedListings } from './directory/reviewed-listings'
import {
  type DirectorySnapshot,
  type ResolvedTool,
  ToolDirectory,
} from './directory/tool-directory'
import type { ReviewedTool } from './pins/pin-records'
import type { ToolPins } from './pins/tool-pins'
import { type TokenCounter, tokenKey } from './tokens/token-counter'
import type { ToolUses } from './tool-uses'
import { suggestOff, toolsState, toolText, toolView } from './tools-state'

/** Delays before failed counting is retried, in ms: a busy computer may need some time. */
const RETRY_DELAYS_MS = [10_000, 30_000, 120_000]

/** Minimum interval of change events: twenty servers that become ready are one change in the UI. */
const NOTIFY_EVERY_MS = 150

export type ToolsParts = {
  readonly store: ProfileDocument
  readonly servers: ServerDirectory
  readonly listingFiles: ListingFiles
  readonly pins: ToolPins
  readonly counter: Pick<TokenCounter, 'of' | 'count'>
  readonly uses: Pick<ToolUses, 'of' | 'record' | 'remove'>
}

/** The current or last lists of every server, what is exposed to agents, and the user's decisions. Nothing here waits for a server. */
export class Tools implements Disposable {
  readonly #directory = new ToolDirectory()
  readonly #listings: ReviewedListings
  /** The last read `generation` of each server. */
  readonly #readGenerations = new Map<string, number>()
  readonly #live = new Set<string>()
  readonly #throttle: Throttle
  readonly #stateChanged = new Emitter<void>()
  readonly #recalled = new Emitter<string>()
  #installations: readonly Installation[] = []
  #state: ToolsState | undefined
  #lastSent: ToolsState | undefined
  #context: AgentContext | undefined
  #isCounting = false
  #isDisposed = false
  /** Consecutive attempts at counting that were incomplete. */
  #failures = 0
  #recounting: NodeJS.Timeout | undefined

  /** Fires when `state` or the content of a row changed. */
  readonly onDidChange = this.#stateChanged.event
  /** The last listing of a stopped server was loaded; gets its id. */
  readonly onDidRecall = this.#recalled.event
  /** Settles when the listings of earlier runs are loaded. */
  readonly loaded: Promise<void>

  constructor(private readonly parts: ToolsParts) {
    this.#listings = new ReviewedListings(parts.listingFiles, parts.pins)
    this.#throttle = new Throttle(NOTIFY_EVERY_MS, () => this.#emit())
    this.#updateDirectory()
    this.loaded = this.#load()
  }

  get snapshot(): DirectorySnapshot {
    return this.#directory.snapshot
  }

  get state(): ToolsState {
    return (this.#state ??= toolsState(this.snapshot, this.parts))
  }

  /** Handles a server that became ready, stopped, or changed its lists. */
  serverChanged(installationId: string): void {
    const { servers, store } = this.parts
    const server = servers.find(installationId)
    if (!server || !store.find(installationId)) return
    const { liveSession, generation } = server
    const isLive = liveSession !== undefined
    if (isLive !== this.#live.has(installationId)) {
      if (isLive) this.#live.add(installationId)
      else {
        this.#live.delete(installationId)
        this.parts.pins.serverStopped(installationId)
      }
      this.#changed()
    }
    if (!liveSession || this.#readGenerations.get(installationId) === generation) return
    this.#readGenerations.set(installationId, generation)
    const { capabilities, instructions, packageVersion, listedAt = Date.now() } = liveSession
    const listing = { capabilities, instructions, packageVersion, listedAt }
    this.#listings.update(installationId, maskedListing(listing, server.log.redactor))
    this.#updateDirectory()
    this.#changed()
  }

  /** Handles a write of the settings file: installations or their switches may have changed. */
  installationsChanged(): void {
    const { installations } = this.parts.store
    if (installations === this.#installations) return
    this.#updateDirectory()
    this.#changed()
  }

  /**
   * Whether a tool may be called in a process of its server with these lists. If they contain the tool, it has to be the same, unless the
   * server's changes are followed.
   */
  accepts(
    { installationId, tool: { name }, hash, meaning }: ResolvedTool,
    capabilities: Capabilities,
  ): boolean {
    const listed = capabilities.tools.find((tool) => tool.name === name)
    if (!listed || this.parts.store.find(installationId)?.toolChanges === 'follow') return true
    const identity = identityOf(listed)
    return identity.hash === hash || identity.meaning === meaning
  }

  /** Counts a call of a tool that begins now. */
  used(installationId: string, name: string): void {
    this.parts.uses.record(installationId, name)
    this.#changed({ inRows: true })
  }

  /** Records that an agent got the current lists of these servers; later changes need review. */
  given(installationIds: Iterable<string>): void {
    for (const installationId of installationIds) this.parts.pins.given(installationId)
  }

  /** Whether the server's lists are known. */
  isListed(installationId: string): boolean {
    return this.parts.listingFiles.read(installationId) !== undefined
  }

  /** Returns the server's current or last lists. */
  capabilitiesOf(installationId: string): Capabilities {
    return this.#listings.capabilitiesOf(installationId)
  }

  /** Returns the server's own instructions from its last listing; untrusted. */
  usageOf(installationId: string): string | undefined {
    return this.parts.listingFiles.read(installationId)?.instructions
  }

  list(installationId?: string): { generation: number; tools: ToolView[] } {
    const { generation, servers, tools } = this.snapshot
    const wanted = installationId === undefined ? tools : (servers.get(installationId)?.tools ?? [])
    return { generation, tools: wanted.map((tool) => toolView(tool, this.parts)) }
  }

  /** Throws NOT_FOUND. */
  read(installationId: string, name: string): ToolDetail {
    const serverTools = this.snapshot.servers.get(installationId)?.tools
    const found = serverTools?.find(({ tool }) => tool.name === name)
    if (!found) throw new AppError('NOT_FOUND', 'The server no longer lists this tool.')
    const approved = this.parts.pins.approvedOf(installationId, name)
    return {
      view: toolView(found, this.parts),
      tool: found.tool,
      ...(approved && { approved: { ...approved } }),
    }
  }

  /** Throws NOT_FOUND or SETTINGS_UNWRITABLE. */
  set(
    installationId: string,
    change: Partial<Pick<Installation, 'toolChoice' | 'starts' | 'toolChanges'>>,
  ): void {
    const { store } = this.parts
    store.save({ ...store.read(installationId), ...change })
    this.installationsChanged()
  }

  /** Returns the names of those that have changed since. */
  review(
    installationId: string,
    decision: 'approve' | 'reject',
    seen: readonly ReviewedTool[],
  ): string[] {
    const stale = this.#listings.decide(installationId, decision, seen)
    this.#updateDirectory()
    this.#changed({ inRows: true })
    return stale
  }

  /** Returns the estimated tokens of a tool; undefined until counted. */
  tokensOf(tool: ResolvedTool): number | undefined {
    return this.parts.counter.of(tokenKey(tool))
  }

  history(installationId: string): ToolChange[] {
    return this.parts.pins.history(installationId)
  }

  suggest(limit: number): OffSuggestion[] {
    return suggestOff(this.list().tools, limit, Date.now())
  }

  context(): AgentContext {
    const { generation } = this.snapshot
    if (this.#context?.generation === generation) return this.#context
    const servers = this.parts.store.installations
      .filter(({ enabled, toolChoice }) => enabled && toolChoice.kind !== 'none')
      .map(({ installationId, name, alias }) => ({
        name,
        alias,
        instructions: this.parts.listingFiles.read(installationId)?.instructions,
        capabilities: this.capabilitiesOf(installationId),
      }))
    this.#context = { generation, text: agentContext(servers) }
    return this.#context
  }

  remove(installationId: string): void {
    this.#listings.remove(installationId)
    this.parts.uses.remove(installationId)
    this.#readGenerations.delete(installationId)
    this.#live.delete(installationId)
    this.#updateDirectory()
    this.#changed()
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#recounting)
    this.#isDisposed = true
    this.#throttle[Symbol.dispose]()
  }

  async #load(): Promise<void> {
    const { store, listingFiles } = this.parts
    const ids = store.installations.map(({ installationId }) => installationId)
    await this.#listings.load(ids, (installationId) => {
      this.#updateDirectory()
      this.#changed()
      this.#recalled.emit(installationId)
    })
    // Unreadable installations still exist.
    if (store.notices.length > 0) return
    listingFiles.sweep(store.installations.map(({ installationId }) => installationId))
  }

  #updateDirectory(): void {
    const { store } = this.parts
    this.#installations = store.installations
    const servers = this.#listings.serversOf(store.installations)
    if (this.#directory.set(servers)) background(this.#count(), 'counting tokens')
  }

  /** `inRows`: the content of rows changed although the numbers may be equal. */
  #changed({ inRows = false } = {}): void {
    this.#state = undefined
    if (inRows) this.#lastSent = undefined
    this.#throttle.call()
  }

  #emit(): void {
    if (isDeepStrictEqual(this.#lastSent, this.state)) return
    this.#lastSent = this.state
    this.#stateChanged.emit()
  }

  /** Counts missing tokens, and repeats that while new tools arrive. */
  async #count(): Promise<void> {
    if (this.#isCounting) return
    this.#isCounting = true
    const { counter } = this.parts
    const isCounted = (tool: ResolvedTool): boolean => counter.of(tokenKey(tool)) !== undefined
    try {
      let generation: number
      do {
        // A listing that arrives in many parts is counted once.
        await Promise.resolve()
        ;({ generation } = this.snapshot)
        const { tools } = this.snapshot
        await counter.count(new Map(tools.map((tool) => [tokenKey(tool), () => toolText(tool)])))
        this.#changed({ inRows: true })
      } while (generation !== this.snapshot.generation)
    } finally {
      this.#isCounting = false
      this.#failures = this.snapshot.tools.every(isCounted) ? 0 : this.#failures + 1
      this.#scheduleCount(RETRY_DELAYS_MS[this.#failures - 1])
    }
  }

  #scheduleCount(delayMs: number | undefined): void {
    clearTimeout(this.#recounting)
    if (delayMs === undefined || this.#isDisposed) return
    const count = (): void => background(this.#count(), 'counting tokens')
    this.#recounting = setTimeout(count, delayMs).unref()
  }
}
