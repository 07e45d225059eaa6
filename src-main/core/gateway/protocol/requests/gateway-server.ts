/* oxlint-disable typescript/no-deprecated -- McpServer checks and rewrites what passes; Server hands it on as it is, for which the SDK keeps it */
import { type JsonSchemaValidator, Server } from '@modelcontextprotocol/server'

import type { Agent } from '../../../../../src-shared/domain/agents/agent'
import type { EndpointCore } from './endpoint-core'
import { GATEWAY_CAPABILITIES } from './gateway-capabilities'

/** Nothing is checked by the SDK: answers go on as they are. */
const NO_VALIDATOR = {
  getValidator:
    <T>(): JsonSchemaValidator<T> =>
    (value) => ({ valid: true, data: value as T, errorMessage: undefined }),
}

/** The SDK's server for one connection of the older era, or one request of the newer. */
export function gatewayServer(
  { version, listings, instructions }: Pick<EndpointCore, 'version' | 'listings' | 'instructions'>,
  { agentId }: Agent,
): Server {
  return new Server(
    { name: 'patchbay', title: 'Patchbay', version },
    {
      capabilities: GATEWAY_CAPABILITIES,
      instructions: instructions.of(listings.of(agentId)),
      jsonSchemaValidator: NO_VALIDATOR,
    },
  )
}
