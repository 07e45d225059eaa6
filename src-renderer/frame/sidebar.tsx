import clsx from 'clsx'
import {
  Activity,
  AppWindow,
  ArrowLeft,
  ArrowRight,
  House,
  Library,
  type LucideIcon,
  Search,
  Server,
  Settings,
  Wrench,
} from 'lucide-react'
import { type JSX, memo, type ReactNode, useSyncExternalStore } from 'react'
import { Link, useLocation } from 'wouter'

import type { RunStatus } from '../../src-shared/domain/running/run-status'
import { STATUS_WORD, waitsForUser } from '../components/status/status-messages'
import { useApp, useServers } from '../stores/app-store'
import { showOverlay } from '../stores/palette-store'
import { IconButton } from '../ui/controls/icon-button'
import { ariaKeys, capsFor, isMacKeyboard } from '../ui/marks/shortcuts'
import { StatusGlyph } from '../ui/marks/status-glyph'
import { counted } from '../ui/text/format'
import { GatewayLine, SecretStoreLine } from './endpoint-lines'
import { RailTip } from './endpoint-lines'

const CATALOG_PLACES = ['/catalog', '/setup', '/bundle', '/by-hand', '/import']

function NavLink({
  href,
  label,
  spoken = label,
  icon: Icon,
  here,
  children,
}: {
  readonly href: string
  readonly label: string
  readonly spoken?: string
  readonly icon: LucideIcon
  readonly here: boolean
  readonly children?: ReactNode
}): JSX.Element {
  return (
    <RailTip name={label}>
      <Link
        href={href}
        className="pick lights row gap-2 soft medium anchor"
        aria-label={spoken}
        aria-current={here ? 'page' : undefined}
      >
        <Icon className="icon" aria-hidden />
        <span className="hide-narrow">{label}</span>
        {children}
      </Link>
    </RailTip>
  )
}

/** A number at the end of its line; `look` where it asks for a user. */
function Count({
  shown,
  look = false,
}: {
  readonly shown: number | string
  readonly look?: 'is-error' | 'is-degraded' | false
}): JSX.Element | null {
  // A number of nothing says nothing.
  if (shown === 0) return null
  return (
    <span
      className={clsx(
        'num small to-end',
        look === false ? 'faint regular hide-narrow' : `alarm tone tint medium ${look}`,
      )}
      data-drawn={shown}
      aria-hidden
    />
  )
}

/** How many apps are connected, or that none can connect. */
function AppsLink({ here }: { readonly here: boolean }): JSX.Element {
  const apps = useApp(({ app }) => app?.agents.agents.length ?? 0)
  const isShut = useApp(({ app }) => app?.agents.gateway.kind === 'failed')
  return (
    <NavLink
      href="/apps"
      label="Apps"
      spoken={isShut ? 'Apps, can’t connect' : `Apps, ${counted(apps, 'app')}`}
      icon={AppWindow}
      here={here}
    >
      <Count shown={isShut ? '!' : apps} look={isShut && 'is-error'} />
    </NavLink>
  )
}

function MainNav(): JSX.Element {
  const [path] = useLocation()
  const servers = useServers()
  const alerts = servers.filter(waitsForUser).length
  const exposed = useApp(({ app }) => app?.tools.exposed ?? 0)
  const held = useApp(({ app }) => app?.tools.held ?? 0)
  return (
    <nav className="nav col" aria-label="Main">
      <NavLink
        href="/"
        label="Home"
        spoken={alerts > 0 ? `Home, ${alerts} need attention` : 'Home'}
        icon={House}
        here={path === '/'}
      >
        {alerts > 0 && <Count shown={alerts} look="is-error" />}
      </NavLink>
      <NavLink
        href="/catalog"
        label="Catalog"
        icon={Library}
        here={CATALOG_PLACES.some((start) => path.startsWith(start))}
      />
      <NavLink
        href="/servers"
        label="Servers"
        spoken={`Servers, ${counted(servers.length, 'server')}`}
        icon={Server}
        here={path === '/servers' || path === '/logs'}
      >
        <Count shown={servers.length} />
      </NavLink>
      <NavLink
        href="/tools"
        label="Tools"
        spoken={held > 0 ? `Tools, ${held} to review` : `Tools, ${exposed} for apps`}
        icon={Wrench}
        here={path === '/tools'}
      >
        <Count shown={held > 0 ? held : exposed} look={held > 0 && 'is-degraded'} />
      </NavLink>
      <AppsLink here={path === '/apps' || path.startsWith('/apps/')} />
      <NavLink href="/activity" label="Activity" icon={Activity} here={path === '/activity'} />
      <NavLink
        href="/settings"
        label="Settings"
        icon={Settings}
        here={path.startsWith('/settings')}
      />
    </nav>
  )
}

/** The way to one server; a step to another screen or another server's news leaves it as it is. */
const ServerLink = memo(function ServerLink({
  installationId,
  name,
  status,
  here,
}: {
  readonly installationId: string
  readonly name: string
  readonly status: RunStatus['kind']
  readonly here: boolean
}): JSX.Element {
  const spoken = `${name}, ${STATUS_WORD[status]}`
  return (
    <RailTip name={spoken}>
      <Link
        href={`/servers/${installationId}`}
        className={
          here
            ? 'pick lights row gap-2 fixed soft medium'
            : 'pick lights row gap-2 fixed soft regular'
        }
        aria-label={spoken}
        aria-current={here ? 'page' : undefined}
      >
        <StatusGlyph status={status} />
        <span className="cut hide-narrow">{name}</span>
      </Link>
    </RailTip>
  )
})

function ServerNav(): JSX.Element {
  const [path] = useLocation()
  const servers = useServers()
  return (
    <nav className="nav nav-servers ring-room col scroll fill" aria-label="Your servers">
      {servers.map(({ installationId, name, status }) => {
        const href = `/servers/${installationId}`
        return (
          <ServerLink
            key={installationId}
            {...{ installationId, name }}
            status={status.kind}
            here={path === href || path.startsWith(`${href}/`)}
          />
        )
      })}
    </nav>
  )
}

/** Where one can go, how every server is, and where secrets are kept. */
export function Sidebar(): JSX.Element {
  const servers = useServers()
  return (
    <aside className="sidebar col gap-3" aria-label="Sidebar">
      <div className="brand tall row gap-2 lead">
        <BrandMark />
        <span className="hide-narrow">Patchbay</span>
        <Steps />
      </div>
      <Jump />
      <MainNav />
      {servers.length > 0 ? (
        <>
          <div className="nav-title hide-narrow row faint small medium" aria-hidden>
            Your servers
          </div>
          <ServerNav />
        </>
      ) : (
        <div className="grow" />
      )}
      <GatewayLine />
      <SecretStoreLine />
    </aside>
  )
}

/** Patchbay's mark: two jacks and the cable between them. */
function BrandMark(): JSX.Element {
  return (
    <svg
      className="fixed"
      width="1.25rem"
      height="1.25rem"
      viewBox="0 0 20 20"
      fill="none"
      strokeLinecap="round"
      aria-hidden
    >
      <path d="M5.2 5.2c0 9.4 9.6.2 9.6 9.6" stroke="var(--accent-text)" strokeWidth="2.1" />
      <g stroke="currentColor" strokeWidth="1.8" fill="var(--bg-window)">
        <circle cx="5.2" cy="5.2" r="3.3" />
        <circle cx="14.8" cy="14.8" r="3.3" />
      </g>
    </svg>
  )
}

/** Back and forward through the pages that were open. */
function Steps(): JSX.Element {
  const { canGoBack, canGoForward } = useHistorySteps()
  return (
    <div className="hide-narrow flex faint to-end">
      <IconButton
        small
        icon={ArrowLeft}
        label="Back"
        aria-disabled={!canGoBack}
        onClick={() => canGoBack && window.history.back()}
      />
      <IconButton
        small
        icon={ArrowRight}
        label="Forward"
        aria-disabled={!canGoForward}
        onClick={() => canGoForward && window.history.forward()}
      />
    </div>
  )
}

/** Opens the command palette. */
function Jump(): JSX.Element {
  const isMac = isMacKeyboard()
  return (
    <RailTip name="Search or run a command">
      <button
        type="button"
        className="jump bare whole row gap-2 fixed faint"
        aria-label="Search or run a command"
        aria-keyshortcuts={ariaKeys('palette', isMac)}
        onClick={() => showOverlay('palette')}
      >
        <Search className="icon icon-s" aria-hidden />
        <span className="grow hide-narrow">Search or run</span>
        {/* Drawn by the style sheet: what is read aloud is the name alone. */}
        <span className="inline-row gap-1 hide-narrow" aria-hidden>
          {capsFor('palette', isMac).map((key) => (
            <kbd key={key} className="kbd inline-row soft" data-drawn={key} />
          ))}
        </span>
      </button>
    </RailTip>
  )
}

/** Whether there is a page to go back to, and one to go forward to; where the browser does not tell, there may be. */
type HistorySteps = { readonly canGoBack: boolean; readonly canGoForward: boolean }

/** The browser's own list of pages; not every browser has one (HTML standard, Navigation API). */
function list(): Navigation | undefined {
  return 'navigation' in window ? window.navigation : undefined
}

function subscribe(listener: () => void): () => void {
  const entries = list()
  entries?.addEventListener('currententrychange', listener)
  return () => entries?.removeEventListener('currententrychange', listener)
}

function useHistorySteps(): HistorySteps {
  const canGoBack = useSyncExternalStore(subscribe, () => list()?.canGoBack ?? true)
  const canGoForward = useSyncExternalStore(subscribe, () => list()?.canGoForward ?? true)
  return { canGoBack, canGoForward }
}
