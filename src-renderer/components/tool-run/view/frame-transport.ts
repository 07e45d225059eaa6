import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'

/** What the frame around a view reports: it loaded, its view tried to open another page, or sent too many messages. */
const FRAME_STATES = ['ready', 'left', 'flooded'] as const
export type FrameState = (typeof FRAME_STATES)[number]

/** JSON-RPC with a view through the frame around it. Messages of other windows and origins are ignored. */
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
    window.addEventListener('message', this.#receive)
    this.frame.src = this.address
    return Promise.resolve()
  }

  send(message: JSONRPCMessage): Promise<void> {
    this.frame.contentWindow?.postMessage(message, this.#origin)
    return Promise.resolve()
  }

  close(): Promise<void> {
    window.removeEventListener('message', this.#receive)
    this.onclose?.()
    return Promise.resolve()
  }

  readonly #receive = ({ source, origin, data }: MessageEvent<unknown>): void => {
    if (source !== this.frame.contentWindow || origin !== this.#origin) return
    if (typeof data !== 'object' || data === null) return
    const state = 'patchbay' in data && FRAME_STATES.find((one) => one === data.patchbay)
    if (state) this.onFrame(state)
    else if ('jsonrpc' in data && data.jsonrpc === '2.0') this.onmessage?.(data as JSONRPCMessage)
  }
}
