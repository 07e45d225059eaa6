import {
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
} from '@modelcontextprotocol/client'

import { Reconnections } from './reconnections'

/** MCP's HTTP transport since 2025-03-26, whose streams are taken up again at Patchbay's pace. */
export class StreamableTransport extends StreamableHTTPClientTransport {
  readonly #reconnections: Reconnections

  constructor(
    url: URL,
    options: Pick<StreamableHTTPClientTransportOptions, 'fetch' | 'authProvider'>,
    reconnections = new Reconnections(),
  ) {
    super(url, { ...options, reconnectionScheduler: reconnections.schedule })
    this.#reconnections = reconnections
  }

  override close(): Promise<void> {
    this.#reconnections[Symbol.dispose]()
    return super.close()
  }
}
