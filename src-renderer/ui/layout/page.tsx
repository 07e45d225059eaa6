import clsx from 'clsx'
import {
  createContext,
  type JSX,
  type ReactNode,
  type RefObject,
  use,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react'
import { Link, useLocation, useSearch } from 'wouter'

import { ScrollRegion } from './section'

/** Gives the page the focus when what had it is gone, so that keyboard and screen reader go on from there. */
export function keepFocus(): void {
  if (document.activeElement !== document.body) return
  document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true })
}

/** What every page shows above its scroll region: notices of the app itself. */
export const PageBanners = createContext<ReactNode>(null)

/** How many questions wait for the user, for the title of the window. */
export const WaitingCount = createContext(0)

/** A step of the way back, nearest last. */
export type Crumb = { readonly label: string; readonly href: string }

function Crumbs({ crumbs }: { readonly crumbs: readonly Crumb[] }): JSX.Element | null {
  if (crumbs.length === 0) return null
  return (
    <nav
      className="crumbs flex max-w-1/2 min-w-0 flex-none items-center gap-2 text-faint"
      aria-label="Breadcrumb"
    >
      {crumbs.map(({ label, href }) => (
        <span key={href} className="flex min-w-0 items-center gap-2">
          <Link href={href} className="truncate text-muted">
            {label}
          </Link>
          <span aria-hidden>/</span>
        </span>
      ))}
    </nav>
  )
}

/**
 * The panel beside the sidebar: a bar with place, title and actions, and below it one region that scrolls.
 * `padded` gives the region gutters and a greatest width, `flush` none; with `columns` the children
 * fill the space and scroll on their own, and with `tabs` no line parts the bar from them.
 */
export function Page({
  title,
  lead,
  crumbs = [],
  meta,
  actions,
  tools,
  layout = 'padded',
  children,
  foot,
}: {
  readonly title: string
  /** Between the crumbs and the title: a tile. */
  readonly lead?: ReactNode
  readonly crumbs?: readonly Crumb[]
  /** Beside the title: a badge or a count. */
  readonly meta?: ReactNode
  readonly actions?: ReactNode
  /** Below the bar and above the scroll region. */
  readonly tools?: ReactNode
  readonly layout?: 'padded' | 'flush' | 'columns' | 'tabs'
  readonly children: ReactNode
  /** Below the scroll region. */
  readonly foot?: ReactNode
}): JSX.Element {
  const banners = use(PageBanners)
  const waiting = use(WaitingCount)
  const main = useRef<HTMLElement>(null)
  usePagePlace(main)
  useEffect(() => {
    const mark = waiting === 0 ? '' : `(${waiting}) `
    document.title = title === 'Patchbay' ? `${mark}Patchbay` : `${mark}${title} - Patchbay`
  }, [title, waiting])
  return (
    <main
      id="main"
      ref={main}
      className="panel relative flex min-w-0 flex-col rounded-lg border border-line bg-surface"
      tabIndex={-1}
    >
      <header
        className={clsx(
          'bar sticky top-0 z-1 flex flex-none items-center gap-2 bg-surface',
          layout !== 'tabs' && 'border-b border-line',
        )}
      >
        <Crumbs crumbs={crumbs} />
        {lead}
        <h1 className="truncate text-lead">{title}</h1>
        {meta}
        <span className="min-w-0 flex-1" />
        {actions}
      </header>
      {banners}
      {tools}
      {layout === 'columns' || layout === 'tabs' ? (
        children
      ) : (
        <ScrollRegion className="page-body min-h-0 flex-1" data-page-body label={title}>
          <div className={clsx(layout === 'padded' && 'page-inner mx-auto max-w-352')}>
            {children}
          </div>
        </ScrollRegion>
      )}
      {foot}
    </main>
  )
}

/** Where a user was on a page: how far it was scrolled, the link that had the focus last, and where that stood when it was taken. */
type Place = {
  /** In px. */
  readonly scrolled: number
  readonly link: string | null
  /** From the top of what shows, in px; null where the page was scrolled since, or left otherwise. */
  readonly linkTop: number | null
}

const MOST = 100
/** What a page shows may have to be read first: its place is held for so long, in ms. */
const WAIT_MS = 2_000
const OWN_WAYS = ['wheel', 'keydown', 'pointerdown'] as const

const places = new Map<string, Place>()

/** Of the entry in the browser's list of pages; where the browser has no such list nothing is kept (HTML standard, Navigation API). */
function entryKey(): string | undefined {
  return 'navigation' in window ? window.navigation.currentEntry?.key : undefined
}

function note(key: string, change: Partial<Place>): void {
  const before = places.get(key) ?? { scrolled: 0, link: null, linkTop: null }
  places.delete(key)
  places.set(key, { ...before, ...change })
  const [oldest] = places.keys()
  if (places.size > MOST && oldest !== undefined) places.delete(oldest)
}

const topIn = (body: Element, link: Element): number =>
  link.getBoundingClientRect().top - body.getBoundingClientRect().top

/** Who has chosen something else meanwhile keeps the focus there. */
function focusLink(main: HTMLElement, link: HTMLElement | null): void {
  const { activeElement } = document
  if (activeElement === document.body || activeElement === main)
    link?.focus({ preventScroll: true })
}

/**
 * Brings a place back, as soon as what is shown is long enough for it, and keeps it while that is still read: the link that
 * was taken stands where it stood, also where what is above it has another length. Ends when the user goes on.
 */
function bringBack(main: HTMLElement, { scrolled, link, linkTop }: Place): () => void {
  const reach = (): void => {
    const body = main.querySelector('[data-page-body]')
    const found =
      link === null ? null : main.querySelector<HTMLElement>(`a[href="${CSS.escape(link)}"]`)
    if (body) {
      const isKept = found !== null && linkTop !== null
      const wanted = isKept ? body.scrollTop + topIn(body, found) - linkTop : scrolled
      body.scrollTop = wanted
      if (Math.abs(body.scrollTop - wanted) >= 2) return
    }
    focusLink(main, found)
  }
  reach()
  const observer = new MutationObserver(reach)
  const timer = setTimeout(end, WAIT_MS)
  function end(): void {
    observer.disconnect()
    clearTimeout(timer)
    for (const way of OWN_WAYS) window.removeEventListener(way, end)
  }
  for (const way of OWN_WAYS) window.addEventListener(way, end, { passive: true })
  observer.observe(main, { childList: true, characterData: true, subtree: true })
  return end
}

/** Remembers where a user was on each page of the history, and goes there when they come back to it. */
function usePagePlace(page: RefObject<HTMLElement | null>): void {
  const [location] = useLocation()
  const search = useSearch()
  useLayoutEffect(() => {
    const main = page.current
    const key = entryKey()
    if (!main || key === undefined) return
    const place = places.get(key)
    const stop = place && bringBack(main, place)
    const onScroll = ({ target }: Event): void => {
      if (target instanceof Element && target.matches('[data-page-body]'))
        note(key, { scrolled: target.scrollTop, linkTop: null })
    }
    const onLink = ({ target, type }: Event): void => {
      const link = target instanceof Element ? target.closest('a') : null
      if (!link) return
      const body = link.closest('[data-page-body]')
      const linkTop = body && type === 'click' ? topIn(body, link) : null
      note(key, { link: link.getAttribute('href'), linkTop })
    }
    // Scrolling does not bubble.
    main.addEventListener('scroll', onScroll, { capture: true, passive: true })
    main.addEventListener('focusin', onLink)
    main.addEventListener('click', onLink, { capture: true })
    return () => {
      stop?.()
      main.removeEventListener('scroll', onScroll, { capture: true })
      main.removeEventListener('focusin', onLink)
      main.removeEventListener('click', onLink, { capture: true })
    }
  }, [location, search, page])
}
