/** What people call the ways to reach a server over the network. */
export const TRANSPORT_NAMES = {
  'streamable-http': 'Streamable HTTP',
  sse: 'HTTP with SSE',
} as const
