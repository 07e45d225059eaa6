import type { Bridge } from '../../src-shared/ipc/contract'
import { type BridgeLink, openSocketLink } from './socket-bridge'

declare global {
  interface Window {
    /** Set by the preload of the desktop app. */
    readonly bridge?: Bridge
  }
}

/** Opens the connection to main: the preload's bridge on the desktop, a socket to this page's own origin in a browser. */
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
    token: consumeToken(window),
    keepToken: (token) => storeToken(window, token),
  })
}

const KEY = 'patchbay.token'
const IN_FRAGMENT = /^#token=([A-Za-z0-9_-]{1,256})$/

type TokenPlaces = Pick<Window, 'location' | 'history' | 'sessionStorage'>

/**
 * Returns the token of this page, or null. Moves a token in the fragment to sessionStorage and removes it from the address, so that neither
 * the history nor a copied address contains it.
 */
export function consumeToken({ location, history, sessionStorage }: TokenPlaces): string | null {
  const token = IN_FRAGMENT.exec(location.hash)?.[1]
  if (token === undefined) return sessionStorage.getItem(KEY)
  sessionStorage.setItem(KEY, token)
  history.replaceState(null, '', '#/')
  return token
}

/**
 * Reloads this tab if a link of Patchbay is opened in it, which changes only the fragment. Must be called before other listeners are added,
 * because the token is no route.
 */
function followLinks(window: TokenPlaces & Pick<Window, 'addEventListener'>): void {
  window.addEventListener('hashchange', (event) => {
    if (!IN_FRAGMENT.test(window.location.hash)) return
    event.stopImmediatePropagation()
    consumeToken(window)
    window.location.reload()
  })
}

/** Replaces the token that a reload of this tab uses. */
export function storeToken(
  { sessionStorage }: Pick<Window, 'sessionStorage'>,
  token: string,
): void {
  sessionStorage.setItem(KEY, token)
}
