import type { HttpConnection, HttpConnectionOptions, RemoteSpec } from './http-connection'
import { SseConnection } from './sse'
import { StreamableHttpConnection } from './streamable-http'

/** The connection to a remote server, by the transport that is asked for. */
export function openHttpConnection(
  spec: RemoteSpec,
  options: HttpConnectionOptions,
): HttpConnection {
  return spec.transport === 'sse'
    ? new SseConnection(spec, options)
    : new StreamableHttpConnection(spec, options)
}
