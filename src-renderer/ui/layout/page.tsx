import clsx from 'clsx'
import type { JSX, ReactNode } from 'react'
import { createContext, use, useEffect, useRef } from 'react'
import { Link } from 'wouter'

import { usePagePlace } from './use-page-place'

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
    <nav className="crumbs half fixed row gap-2 slim faint" aria-label="Breadcrumb">
      {crumbs.map(({ label, href }) => (
        <span key={href} className="row gap-2 slim">
          <Link href={href} className="soft cut">
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
 * fill the space and scroll by themselves, and with `tabs` no line parts the bar from them.
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
    <main id="main" ref={main} className="panel box surface col slim anchor" tabIndex={-1}>
      <header className={clsx('bar sticks surface row gap-2 fixed', layout !== 'tabs' && 'ruled')}>
        <Crumbs crumbs={crumbs} />
        {lead}
        <h1 className="lead cut">{title}</h1>
        {meta}
        <span className="grow" />
        {actions}
      </header>
      {banners}
      {tools}
      {layout === 'columns' || layout === 'tabs' ? (
        children
      ) : (
        <div className="page-body fill scroll" tabIndex={0} role="region" aria-label={title}>
          <div className={clsx(layout === 'padded' && 'page-inner')}>{children}</div>
        </div>
      )}
      {foot}
    </main>
  )
}
