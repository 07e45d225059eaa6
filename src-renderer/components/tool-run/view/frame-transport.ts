import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'

/** What the frame around a view says of itself: it was loaded, or its view was about to go elsewhere. */
export type FrameState = 'ready' | 'left'

/** JSON-RPC with a view, over the frame around it. Only messages of this frame and its address are taken. */
export class FrameTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #origin: string

  constructor(
    private readonly frame: HTMLIFrameElement,
    private readonly address: string,
    private readonly onFrame: (state: FrameState) => void,
  ) {
    this.#origin = new URL(address).origin
  }

  start(): Promise<void> {
    window.addEventListener('message', this.#take)
    this.frame.src = this.address
    return Promise.resolve()
  }

  send(message: JSONRPCMessage): Promise<void> {
    this.frame.contentWindow?.postMessage(message, this.#origin)
    return Promise.resolve()
  }

  close(): Promise<void> {
    window.removeEventListener('message', this.#take)
    this.onclose?.()
    return Promise.resolve()
  }

  readonly #take = ({ source, origin, data }: MessageEvent<unknown>): void => {
    if (source !== this.frame.contentWindow || origin !== this.#origin) return
    if (typeof data !== 'object' || data === null) return
    if ('patchbay' in data) {
      if (data.patchbay === 'ready' || data.patchbay === 'left') this.onFrame(data.patchbay)
      return
    }
    if ('jsonrpc' in data && data.jsonrpc === '2.0') this.onmessage?.(data as JSONRPCMessage)
  }
}
