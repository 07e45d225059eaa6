import clsx from 'clsx'
import { Info, X } from 'lucide-react'
import {
  type ComponentProps,
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

import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import { IconButton, LearnMore } from '../controls/button'
import { StatusGlyph, type StatusKind } from '../marks/status-glyph'

/** Focuses the page if the focused element was removed, so that keyboard and screen reader continue there. */
export function keepFocus(): void {
  if (document.activeElement !== document.body) return
  document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true })
}

/** Content that every page shows above its scroll region: notices of the app itself. */
export const PageBanners = createContext<ReactNode>(null)

/** Number of pending requests, for the title of the window. */
export const WaitingCount = createContext(0)

/** A breadcrumb, the nearest parent last. */
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
 * The panel next to the sidebar: a bar with breadcrumbs, title and actions, and below it one scroll region. `padded` gives the region
 * gutters and a maximum width, `flush` none. With `columns` the children fill the space and scroll separately, and with `tabs` no line
 * separates them from the bar.
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
  /** Shown between breadcrumbs and title: a tile. */
  readonly lead?: ReactNode
  readonly crumbs?: readonly Crumb[]
  /** Shown next to the title: a badge or a count. */
  readonly meta?: ReactNode
  readonly actions?: ReactNode
  /** Shown between the bar and the scroll region. */
  readonly tools?: ReactNode
  readonly layout?: 'padded' | 'flush' | 'columns' | 'tabs'
  readonly children: ReactNode
  /** Shown below the scroll region. */
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

/** The user's place on a page: its scroll position, the last focused link, and that link's position when it was clicked. */
type Place = {
  /** In px. */
  readonly scrolled: number
  readonly link: string | null
  /** In px from the top of the visible part; null if the page was scrolled since, or left in another way. */
  readonly linkTop: number | null
}

const MOST = 100
/** How long a place is restored while the page's content loads, in ms. */
const WAIT_MS = 2_000
const USER_EVENTS = ['wheel', 'keydown', 'pointerdown'] as const

const places = new Map<string, Place>()

/** Key of the browser's history entry; without one nothing is restored (HTML standard, Navigation API). */
function entryKey(): string | undefined {
  return 'navigation' in window ? window.navigation.currentEntry?.key : undefined
}

function record(key: string, change: Partial<Place>): void {
  const before = places.get(key) ?? { scrolled: 0, link: null, linkTop: null }
  places.delete(key)
  places.set(key, { ...before, ...change })
  const [oldest] = places.keys()
  if (places.size > MOST && oldest !== undefined) places.delete(oldest)
}

const topIn = (body: Element, link: Element): number =>
  link.getBoundingClientRect().top - body.getBoundingClientRect().top

/** Keeps the focus if the user has focused something else meanwhile. */
function focusLink(main: HTMLElement, link: HTMLElement | null): void {
  const { activeElement } = document
  if (activeElement === document.body || activeElement === main)
    link?.focus({ preventScroll: true })
}

/**
 * Restores a place when the content is long enough, and maintains it while content loads: the clicked link keeps its position even if the
 * content above it changes its height. Ends when the user continues.
 */
function restorePlace(main: HTMLElement, { scrolled, link, linkTop }: Place): () => void {
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
    for (const type of USER_EVENTS) window.removeEventListener(type, end)
  }
  for (const way of USER_EVENTS) window.addEventListener(way, end, { passive: true })
  observer.observe(main, { childList: true, characterData: true, subtree: true })
  return end
}

/** Records the user's place on each page of the history, and restores it when they return. */
function usePagePlace(page: RefObject<HTMLElement | null>): void {
  const [location] = useLocation()
  const search = useSearch()
  useLayoutEffect(() => {
    const main = page.current
    const key = entryKey()
    if (!main || key === undefined) return
    const place = places.get(key)
    const stop = place && restorePlace(main, place)
    const onScroll = ({ target }: Event): void => {
      if (target instanceof Element && target.matches('[data-page-body]'))
        record(key, { scrolled: target.scrollTop, linkTop: null })
    }
    const onLink = ({ target, type }: Event): void => {
      const link = target instanceof Element ? target.closest('a') : null
      if (!link) return
      const body = link.closest('[data-page-body]')
      const linkTop = body && type === 'click' ? topIn(body, link) : null
      record(key, { link: link.getAttribute('href'), linkTop })
    }
    // Scroll events do not bubble.
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

const CABLES = {
  waiting: <path stroke="var(--accent)" d="M28 26h6m5 0h3m4 0h3m5 0h6" />,
  open: <path d="M28 26c8 0 9 9 13 11M60 26c-8 0-9-9-13-11" />,
  cut: (
    <>
      <path d="M28 26h9M60 26h-9" />
      <path stroke="var(--error)" d="m40 22 8 8m0-8-8 8" />
    </>
  ),
} as const

/** An empty, offline or failed page: two jacks and a cable, one title, one sentence, one action. */
export function BlankState(props: {
  readonly art: keyof typeof CABLES
  readonly title: string
  readonly message: ReactNode
  readonly action?: ReactNode
}): JSX.Element {
  const { art, title, message, action } = props
  return (
    <div
      className="blank mx-auto grid max-w-80 place-items-center content-start gap-1 px-5 pt-8 pb-5 text-center text-balance"
      data-testid="blank"
    >
      <svg
        className="mb-2"
        width="5.5rem"
        height="3.25rem"
        viewBox="0 0 88 52"
        fill="none"
        stroke="var(--line-control)"
        strokeWidth="1.5"
        strokeLinecap="round"
        aria-hidden
      >
        <circle cx="16" cy="26" r="9" />
        <circle cx="72" cy="26" r="9" />
        <circle cx="16" cy="26" r="2.5" />
        <circle cx="72" cy="26" r="2.5" />
        {CABLES[art]}
      </svg>
      <h2 className="text-lead">{title}</h2>
      <p className="wrap-anywhere text-muted">{message}</p>
      {action !== undefined && <div className="mt-3">{action}</div>}
    </div>
  )
}

const WIDTHS = ['44%', '32%', '52%', '38%', '48%', '36%']

/** Placeholder rows while content loads; `label` is announced. */
export function Skeleton(props: { readonly label: string; readonly rows?: number }): JSX.Element {
  const { label, rows = 4 } = props
  return (
    <div role="status" aria-label={label} data-testid="skeleton">
      <ul className="bones grid gap-4 p-5" aria-hidden>
        {Array.from({ length: rows }, (_, row) => (
          <li key={row} className="flex items-center gap-3">
            <span className="tile flex-none" />
            <div className="grid min-w-0 flex-1 gap-2">
              <span className="bone" style={{ width: WIDTHS[row % WIDTHS.length] }} />
              <span className="bone" style={{ width: WIDTHS[(row + 2) % WIDTHS.length] }} />
            </div>
          </li>
        ))}
      </ul>
    </div>
  )
}

const LOOK = { warn: 'degraded', error: 'error', ready: 'ready' } as const satisfies Record<
  string,
  StatusKind
>

/** A sentence with its button, in the color of its severity, and *Learn more* if `topic` is an error code. */
export function Banner(props: {
  readonly severity: 'info' | 'warn' | 'error' | 'ready'
  readonly title?: ReactNode
  readonly children?: ReactNode
  readonly topic?: string | undefined
  readonly action?: ReactNode
  /** How it is announced when it appears. */
  readonly role?: 'alert' | 'status'
  readonly onDismiss?: () => void
}): JSX.Element {
  const { severity, title, children, topic, action, role, onDismiss } = props
  return (
    <div
      role={role}
      className={`banner tint flex items-center gap-2 is-${severity === 'info' ? 'starting' : LOOK[severity]}`}
    >
      {severity === 'info' ? (
        <Info className="icon" aria-hidden />
      ) : (
        <StatusGlyph status={LOOK[severity]} />
      )}
      <div className="min-w-0 flex-1 text-pretty wrap-anywhere">
        {title !== undefined && <b>{title} </b>}
        {children}
        {topic !== undefined && (
          <>
            {' '}
            <LearnMore topic={topic} />
          </>
        )}
      </div>
      {action}
      {onDismiss && <IconButton small icon={X} label="Dismiss" onClick={onDismiss} />}
    </div>
  )
}

/** A problem and what to do, as a banner; nothing without a problem. */
export function ProblemBanner(
  props: Omit<ComponentProps<typeof Banner>, 'severity' | 'title' | 'children'> & {
    readonly problem: Pick<AppErrorShape, 'message' | 'hint'> | null | undefined
  },
): ReactNode {
  const { problem, ...rest } = props
  return (
    problem && (
      <Banner severity="error" title={problem.message} {...rest}>
        {problem.hint}
      </Banner>
    )
  )
}

/** A named scroll region of the page that the keyboard can reach. */
export function ScrollRegion(
  props: ComponentProps<'div'> & { readonly label: string; readonly as?: 'div' | 'p' | 'pre' },
): JSX.Element {
  const { label, as = 'div', className, ...rest } = props
  // These attributes are the same for every element.
  const Element = as as 'div'
  return (
    <Element
      {...rest}
      className={clsx('scroll', className)}
      tabIndex={0}
      role="region"
      aria-label={label}
    />
  )
}
