import { useSyncExternalStore } from 'react'
import type { BaseLocationHook } from 'wouter'

type Place = { readonly path: string; readonly search: string }

/** Splits `#/servers/x?field=y` into path and query; the leading `#` and `/` are optional. */
export function parseHash(hash: string): Place {
  const [path = '', search = ''] = hash.replace(/^#?\/?/, '').split('?', 2)
  return { path: `/${path}`, search }
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener)
  return () => window.removeEventListener('hashchange', listener)
}

/** Name of the cancelable window event before the app leaves a page; its detail is the next hash. */
export const LEAVING = 'patchbay:leaving'

/** Navigates within the app unless the current page cancels it; `replace` adds no history entry. */
export function navigate(to: string, { replace = false }: { replace?: boolean } = {}): void {
  const { path, search } = parseHash(to)
  const hash = `#${path}${search === '' ? '' : `?${search}`}`
  const leaving = new CustomEvent(LEAVING, { cancelable: true, detail: hash })
  if (!window.dispatchEvent(leaving)) return
  window.history[replace ? 'replaceState' : 'pushState'](null, '', hash)
  window.dispatchEvent(new HashChangeEvent('hashchange'))
}

/** Returns an address for the router: encoded once more, because the router decodes paths and queries as a whole. */
export function routerPlace(hash: string): Place {
  const { path, search } = parseHash(hash)
  return { path: path.replaceAll('%', '%25'), search: search.replaceAll('%', '%25') }
}

/** Reverses `encodeURIComponent` of a route parameter; one that is not encoded stays unchanged. */
export function decodeParam(param: string): string {
  try {
    return decodeURIComponent(param)
  } catch (cause) {
    if (cause instanceof URIError) return param
    throw cause
  }
}

const usePath = (): [string, typeof navigate] => [
  useSyncExternalStore(subscribe, () => routerPlace(window.location.hash).path),
  navigate,
]

const useQuery = (): string =>
  useSyncExternalStore(subscribe, () => routerPlace(window.location.hash).search)

/** wouter's location hook for the fragment including the query, so that one page works in the desktop app and in browsers. */
export const useHashRoute: BaseLocationHook = Object.assign(usePath, {
  hrefs: (href: string) => `#${href}`,
  searchHook: useQuery,
})
