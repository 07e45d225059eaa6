import { useSyncExternalStore } from 'react'
import type { BaseLocationHook } from 'wouter'

type Place = { readonly path: string; readonly search: string }

/** Splits `#/servers/x?field=y` into its path and its query; the leading `#` and `/` may be missing. */
export function parseHash(hash: string): Place {
  const [path = '', search = ''] = hash.replace(/^#?\/?/, '').split('?', 2)
  return { path: `/${path}`, search }
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener)
  return () => window.removeEventListener('hashchange', listener)
}

/** Name of the cancelable event on the window before the app leaves a place; its detail is the hash of the next. */
export const LEAVING = 'patchbay:leaving'

/** Goes to a place of the app, unless what is open there holds that back; `replace` leaves no step in the history. */
export function navigate(to: string, { replace = false }: { replace?: boolean } = {}): void {
  const { path, search } = parseHash(to)
  const hash = `#${path}${search === '' ? '' : `?${search}`}`
  const leaving = new CustomEvent(LEAVING, { cancelable: true, detail: hash })
  if (!window.dispatchEvent(leaving)) return
  window.history[replace ? 'replaceState' : 'pushState'](null, '', hash)
  window.dispatchEvent(new HashChangeEvent('hashchange'))
}

/** An address as the router takes it: encoded once more, as the router decodes paths and queries as a whole. */
export function routerPlace(hash: string): Place {
  const { path, search } = parseHash(hash)
  return { path: path.replaceAll('%', '%25'), search: search.replaceAll('%', '%25') }
}

/** A route parameter as it was before `encodeURIComponent`; one that is not encoded stays as it is. */
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

/** wouter's location in the fragment, query included, so that one page serves every way in. */
export const useHashRoute: BaseLocationHook = Object.assign(usePath, {
  hrefs: (href: string) => `#${href}`,
  searchHook: useQuery,
})
