import { Client, type ClientCapabilities, type Implementation } from '@modelcontextprotocol/client'

import type { ServerAsks } from './elicitation/server-asks'

/** What a server may request where somebody can answer: its user and folders, and no model (sampling). */
const ASKABLE: ClientCapabilities = {
  elicitation: { form: {}, url: {} },
  roots: { listChanged: true },
}

type ClientOptions = {
  readonly clientVersion: string
  readonly asks?: ServerAsks | undefined
}

/** Who Patchbay says it is, and what it can be asked for (MCP, client capabilities). */
export function clientIdentity({ clientVersion: version, asks }: ClientOptions): {
  readonly clientInfo: Implementation
  readonly capabilities: ClientCapabilities
} {
  return {
    clientInfo: { name: 'patchbay', title: 'Patchbay', version },
    capabilities: asks ? ASKABLE : {},
  }
}

/** The SDK's client as every server gets to know Patchbay. */
export function openClient(options: ClientOptions): Client {
  const { clientInfo, capabilities } = clientIdentity(options)
  // `SessionAsks` answers what a result requests: it knows whose call it is.
  return new Client(clientInfo, { capabilities, inputRequired: { autoFulfill: false } })
}
