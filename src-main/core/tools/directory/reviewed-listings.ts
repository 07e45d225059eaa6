import {
  type Capabilities,
  NO_CAPABILITIES,
  type Tool,
} from '../../../../src-shared/domain/agents/capability'
import type { SecurityWarning } from '../../../../src-shared/domain/agents/tools'
import type { Installation } from '../../../../src-shared/domain/installation/installation'
import { sameWhereEqual } from '../../lifecycle/same-object'
import type { ReviewedTool } from '../pins/pin-records'
import type { ToolPins } from '../pins/tool-pins'
import { findHomoglyphs, findSecurityWarnings } from '../warnings/security-warnings'
import type { ListingFiles, StoredListing } from './listing-files'
import type { ListedServer, ListedTool } from './tool-directory'

/** The tools of a list, each with its decision and the warnings from its own server. */
type Reviewed = { readonly of: readonly Tool[]; readonly tools: readonly ListedTool[] }

/** Current or last listings of all servers, each tool with its decision and warnings. */
export class ReviewedListings {
  readonly #reviewed = new Map<string, Reviewed>()
  #followed: ReadonlySet<string> = new Set()

  constructor(
    private readonly listingFiles: ListingFiles,
    private readonly pins: ToolPins,
  ) {}

  /** Returns these installations with their listings. */
  serversOf(installations: readonly Installation[]): ListedServer[] {
    this.#follow(installations)
    const alike = findHomoglyphs(
      installations.map(({ installationId, alias, name }) => {
        return { installationId, alias, name, tools: this.capabilitiesOf(installationId).tools }
      }),
    )
    return installations.map(({ installationId, alias, name, enabled, toolChoice }) => {
      const listing = this.listingFiles.read(installationId)
      const { resources, resourceTemplates, prompts } = listing?.capabilities ?? NO_CAPABILITIES
      return {
        installationId,
        alias,
        isEnabled: enabled,
        choice: toolChoice,
        tools: withWarnings(this.#reviewed.get(installationId), alike.get(installationId)),
        alsoListed: {
          name,
          instructions: listing?.instructions,
          resources,
          resourceTemplates,
          prompts,
        },
      }
    })
  }

  capabilitiesOf(installationId: string): Capabilities {
    return this.listingFiles.read(installationId)?.capabilities ?? NO_CAPABILITIES
  }

  /** Reads the listings of earlier runs, one server per turn, and calls `onRead` for each. */
  async load(
    installationIds: readonly string[],
    onRead: (installationId: string) => void,
  ): Promise<void> {
    await this.listingFiles.load(installationIds, (installationId) => {
      this.#review(installationId)
      this.pins.serverStopped(installationId)
      onRead(installationId)
    })
  }

  /** Stores a server's current listing. Unchanged parts keep their object, so that nothing is computed again. */
  update(installationId: string, listing: StoredListing): void {
    const before = this.listingFiles.read(installationId)?.capabilities
    const tools = sameWhereEqual(before?.tools, listing.capabilities.tools)
    const capabilities = sameWhereEqual(before, { ...listing.capabilities, tools })
    this.listingFiles.store(installationId, { ...listing, capabilities })
    this.#review(installationId)
  }

  /** Approves or rejects tools as they were shown; returns the names of those that have changed since. */
  decide(
    installationId: string,
    decision: 'approve' | 'reject',
    seen: readonly ReviewedTool[],
  ): string[] {
    const { tools } = this.capabilitiesOf(installationId)
    const { identities } = this.listingFiles.read(installationId) ?? {}
    const stale = this.pins.decide(installationId, decision, seen, tools, identities)
    this.#review(installationId)
    return stale
  }

  remove(installationId: string): void {
    this.#reviewed.delete(installationId)
    this.listingFiles.remove(installationId)
    this.pins.remove(installationId)
  }

  /** Approves the tools that wait for review once a server's changes are followed. */
  #follow(installations: readonly Installation[]): void {
    const before = this.#followed
    const followed = installations.filter(({ toolChanges }) => toolChanges === 'follow')
    this.#followed = new Set(followed.map(({ installationId }) => installationId))
    for (const id of this.#followed) if (!before.has(id) && this.#reviewed.has(id)) this.#review(id)
  }

  #review(installationId: string): void {
    const listing = this.listingFiles.read(installationId)
    if (!listing) return
    const { packageVersion, identities } = listing
    const { tools: of } = listing.capabilities
    const before = this.#reviewed.get(installationId)
    const follows = this.#followed.has(installationId)
    const pinned = this.pins.review(installationId, of, packageVersion, { identities, follows })
    // Another decision keeps the texts, and so does most often another start. Checking them takes far longer.
    const securityWarnings =
      before?.of === of ? before.tools.map((one) => one.securityWarnings) : findSecurityWarnings(of)
    const tools = of.flatMap((tool, index) => {
      const decision = pinned[index]
      return decision
        ? [{ tool, securityWarnings: securityWarnings[index] ?? [], ...decision }]
        : []
    })
    this.#reviewed.set(installationId, { of, tools })
  }
}

/** Adds the warnings that result from other servers. */
function withWarnings(
  reviewed: Reviewed | undefined,
  warnings: SecurityWarning[][] = [],
): readonly ListedTool[] {
  return (reviewed?.tools ?? []).map((one, index) => {
    const more = warnings[index] ?? []
    const securityWarnings = [...one.securityWarnings, ...more]
    return more.length > 0 ? { ...one, securityWarnings } : one
  })
}
