import type { RefObject } from 'react'
import { useLayoutEffect } from 'react'
import { useLocation } from 'wouter'

/** Where a person was on a page: how far it was scrolled, and the link that had the focus last. */
type Place = { readonly scrolled: number; readonly link: string | null }

/** Most pages of the history whose places are kept; the oldest goes first. */
const MOST = 100
/** What a page shows may have to be read first: its place is waited for so long, in ms. */
const WAIT_MS = 2_000
const OWN_WAYS = ['wheel', 'keydown', 'pointerdown'] as const

const places = new Map<string, Place>()

/** Of the entry in the browser's list of pages; where the browser has no such list nothing is kept (HTML standard, Navigation API). */
function entryKey(): string | undefined {
  return 'navigation' in window ? window.navigation.currentEntry?.key : undefined
}

function note(key: string, change: Partial<Place>): void {
  const before = places.get(key) ?? { scrolled: 0, link: null }
  places.delete(key)
  places.set(key, { ...before, ...change })
  const [oldest] = places.keys()
  if (places.size > MOST && oldest !== undefined) places.delete(oldest)
}

/** Who has chosen something else meanwhile keeps the focus there. */
function focusLink(main: HTMLElement, link: string | null): boolean {
  if (link === null) return true
  const { activeElement } = document
  if (activeElement !== document.body && activeElement !== main) return true
  const found = main.querySelector<HTMLElement>(`a[href="${CSS.escape(link)}"]`)
  found?.focus({ preventScroll: true })
  return found !== null
}

/** Brings a place back, as soon as what is shown is long enough for it; ends when the person goes on. */
function bringBack(main: HTMLElement, { scrolled, link }: Place): () => void {
  const reach = (): boolean => {
    const body = main.querySelector('.page-body')
    if (body) body.scrollTop = scrolled
    const isThere = !body || Math.abs(body.scrollTop - scrolled) < 2
    return isThere && focusLink(main, link)
  }
  if (reach()) return () => undefined
  const observer = new MutationObserver(() => {
    if (reach()) end()
  })
  const timer = setTimeout(end, WAIT_MS)
  function end(): void {
    observer.disconnect()
    clearTimeout(timer)
    for (const way of OWN_WAYS) window.removeEventListener(way, end)
  }
  for (const way of OWN_WAYS) window.addEventListener(way, end, { passive: true })
  observer.observe(main, { childList: true, subtree: true })
  return end
}

/** Remembers where a person was on each page of the history, and goes there when they come back to it. */
export function usePagePlace(page: RefObject<HTMLElement | null>): void {
  const [location] = useLocation()
  useLayoutEffect(() => {
    const main = page.current
    const key = entryKey()
    if (!main || key === undefined) return
    const place = places.get(key)
    const stop = place && bringBack(main, place)
    const onScroll = ({ target }: Event): void => {
      if (target instanceof Element && target.matches('.page-body'))
        note(key, { scrolled: target.scrollTop })
    }
    const onFocus = ({ target }: FocusEvent): void => {
      const link = target instanceof Element ? target.closest('a')?.getAttribute('href') : undefined
      if (link !== undefined) note(key, { link })
    }
    // Scrolling does not bubble.
    main.addEventListener('scroll', onScroll, { capture: true, passive: true })
    main.addEventListener('focusin', onFocus)
    return () => {
      stop?.()
      main.removeEventListener('scroll', onScroll, { capture: true })
      main.removeEventListener('focusin', onFocus)
    }
  }, [location, page])
}
