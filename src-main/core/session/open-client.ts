import { Client } from '@modelcontextprotocol/client'

import type { ServerAsks } from './asks/server-asks'

/** What a server may ask for where somebody can be asked: its person and folders, and no model (sampling). */
const ASKABLE = { elicitation: { form: {}, url: {} }, roots: { listChanged: true } }

/** The SDK's client as every server gets to know Patchbay (MCP, client capabilities). */
export function openClient({
  clientVersion: version,
  asks,
}: {
  readonly clientVersion: string
  readonly asks?: ServerAsks | undefined
}): Client {
  return new Client(
    { name: 'patchbay', title: 'Patchbay', version },
    // What a result wants is seen to by `SessionAsks`, which knows whose request it is.
    { capabilities: asks ? ASKABLE : {}, inputRequired: { autoFulfill: false } },
  )
}
