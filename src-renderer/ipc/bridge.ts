import type { Bridge } from '../../src-shared/ipc/contract'
import { openSocketLink } from './socket-bridge'
import { keepToken, takeToken } from './token'

/** Whether main can be reached: `refused` means that the token was missing or wrong, which no retry mends. */
export type Connection = 'connecting' | 'connected' | 'lost' | 'refused'

/** A bridge together with the state of the line it uses. */
export type BridgeLink = {
  readonly bridge: Bridge
  /** Tells the present state at once and every change after it; returns the way to stop. */
  readonly watchConnection: (listener: (connection: Connection) => void) => () => void
}

declare global {
  interface Window {
    /** Put in place by the preload of the desktop app. */
    readonly bridge?: Bridge
  }
}

/** The way to main: the preload's bridge on the desktop, a socket to this page's own origin in a browser. */
export function openBridge(): BridgeLink {
  const { bridge } = window
  if (bridge) {
    return {
      bridge,
      watchConnection: (listener) => {
        listener('connected')
        return () => undefined
      },
    }
  }
  return openSocketLink({
    url: `ws://${window.location.host}/socket`,
    token: takeToken(window),
    keepToken: (token) => keepToken(window, token),
  })
}
