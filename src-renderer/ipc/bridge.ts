import type { Bridge } from '../../src-shared/ipc/contract'
import type { BridgeLink } from './bridge-link'
import { openSocketLink } from './socket-bridge'
import { followLinks, keepToken, takeToken } from './token'

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
  followLinks(window)
  return openSocketLink({
    url: `ws://${window.location.host}/socket`,
    token: takeToken(window),
    keepToken: (token) => keepToken(window, token),
  })
}
