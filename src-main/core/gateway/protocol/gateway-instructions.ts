import { agentContext } from '../../tools/context/agent-context'
import type { AgentListing } from '../listing/agent-listing'

const BEGIN = 'Patchbay gives access to the MCP servers on this computer.'

/** What agents are told of the gateway as a whole: which servers are behind it, and how these are used in their own words, fenced as quotes (C6). */
export class GatewayInstructions {
  readonly #made = new WeakMap<AgentListing, string>()

  /** `usageOf`: what a server says of its use; untrusted. */
  constructor(private readonly usageOf: (installationId: string) => string | undefined) {}

  of(listing: AgentListing): string {
    const made = this.#made.get(listing) ?? this.#make(listing)
    this.#made.set(listing, made)
    return made
  }

  #make({ servers }: AgentListing): string {
    if (servers.length === 0)
      return `${BEGIN} No servers are available to you yet; this can change at any time.`
    const quoted = agentContext(
      servers.map(({ installationId, name, alias }) => ({
        name,
        alias,
        instructions: this.usageOf(installationId),
        capabilities: { resources: [], resourceTemplates: [], prompts: [] },
      })),
    )
    const names = servers.map(({ name }) => name).join(', ')
    const said = `${BEGIN} Available servers: ${names}. Servers can change: list again after a list_changed notification.`
    return quoted === '' ? said : `${said}\n\n${quoted}`
  }
}
