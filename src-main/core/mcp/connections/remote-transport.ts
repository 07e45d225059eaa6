/** The two ways in which MCP goes over HTTP: the one since 2025-03-26 and the one before, with its stream of events. */
export type RemoteTransport = 'streamable-http' | 'sse'
