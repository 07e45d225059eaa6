import clsx from 'clsx'
import { ArrowLeft, ArrowRight, Copy, LockKeyhole, Search } from 'lucide-react'
import { type JSX, memo, type ReactElement, type ReactNode, useSyncExternalStore } from 'react'
import { Link, useLocation } from 'wouter'

import { type RunStatus, STATUS_WORD } from '../../src-shared/domain/running/run-status'
import type { SecretStoreState } from '../../src-shared/domain/state/app-state'
import { waitsForUser } from '../components/status/status-messages'
import { useApp, useServers } from '../stores/app-store'
import { showOverlay } from '../stores/palette-store'
import { IconButton } from '../ui/controls/button'
import { Tooltip } from '../ui/controls/tooltip'
import { useMediaQuery } from '../ui/layout/use-media-query'
import { ariaKeys, capsFor, isMacKeyboard, PLACES } from '../ui/marks/shortcuts'
import { StatusGlyph } from '../ui/marks/status-glyph'
import { copyText } from '../ui/saving/copy-text'
import { counted } from '../ui/text/format'

const SECRETS: Record<SecretStoreState['kind'], string> = {
  checking: 'Checking the keychain',
  keychain: 'Secrets in your keychain',
  file: 'Secrets in an encrypted file',
  locked: 'Secrets locked',
  memory: 'Secrets in memory only',
}

function FootLink(props: {
  readonly href: string
  readonly label: string
  readonly mark: ReactNode
}): JSX.Element {
  const { href, label, mark } = props
  return (
    <RailTip name={label}>
      <Link
        href={href}
        className="endpoint flex min-w-0 items-center gap-2 border-t border-line hover:bg-hover"
        aria-label={label}
      >
        {mark}
        <span className="hide-narrow truncate flex-1 text-micro text-faint">{label}</span>
      </Link>
    </RailTip>
  )
}

function SecretStoreNotice(): JSX.Element | null {
  const kind = useApp((state) => state.app?.secretStore.kind)
  if (!kind) return null
  const mark =
    kind === 'memory' || kind === 'locked' ? (
      <StatusGlyph status="degraded" />
    ) : (
      <LockKeyhole className="icon icon-s text-faint" aria-hidden />
    )
  return <FootLink href="/settings" label={SECRETS[kind]} mark={mark} />
}

function GatewayNotice(): JSX.Element | null {
  const gateway = useApp(({ app }) => app?.agents.gateway)
  if (gateway === undefined || gateway.kind === 'opening') return null
  if (gateway.kind === 'off')
    return <FootLink href="/apps" label="Gateway off" mark={<StatusGlyph status="stopped" />} />
  if (gateway.kind === 'failed')
    return (
      <FootLink href="/apps" label="Apps can’t connect" mark={<StatusGlyph status="error" />} />
    )
  const { url } = gateway
  return (
    <div className="endpoint flex min-w-0 items-center gap-2 border-t border-line">
      <StatusGlyph status="ready" label="Open" />
      <div className="hide-narrow min-w-0 flex-1">
        <span className="text-micro text-faint">Gateway for your apps</span>
        <code className="block truncate text-micro text-muted">{url.replace('http://', '')}</code>
      </div>
      <IconButton
        small
        className="hide-narrow"
        icon={Copy}
        label="Copy the gateway’s address"
        onClick={() => copyText(url, 'Address copied.')}
      />
    </div>
  )
}

const RAIL = '(max-width: 1099px)'
/** In the collapsed sidebar, the name is only in the tooltip and the accessible label. */
function RailTip(props: { readonly name: string; readonly children: ReactElement }): JSX.Element {
  const { name, children } = props
  const isRail = useMediaQuery(RAIL)
  if (!isRail) return children
  return (
    <Tooltip content={name} side="right">
      {children}
    </Tooltip>
  )
}

const CATALOG_PLACES = ['/catalog', '/setup', '/bundle', '/custom-server', '/import']

/** `isHere` is for places with more addresses than their own. */
function NavLink(props: {
  readonly place: keyof typeof PLACES
  readonly spoken?: string
  readonly isHere?: (path: string) => boolean
  readonly children?: ReactNode
}): JSX.Element {
  const { place, spoken = PLACES[place].title, isHere, children } = props
  const [path] = useLocation()
  const { title, to, icon: Icon } = PLACES[place]
  return (
    <RailTip name={title}>
      <Link
        href={to}
        className="pick relative flex items-center gap-2 font-medium text-muted hover:bg-hover"
        aria-label={spoken}
        aria-current={(isHere?.(path) ?? path === to) ? 'page' : undefined}
      >
        <Icon className="icon" aria-hidden />
        <span className="hide-narrow">{title}</span>
        {children}
      </Link>
    </RailTip>
  )
}

/** A number at the end of its row; `look` if it needs the user's attention. */
function Count(props: {
  readonly shown: number | string
  readonly look?: 'is-error' | 'is-degraded' | false
}): JSX.Element | null {
  const { shown, look = false } = props
  // A count of zero is not shown.
  if (shown === 0) return null
  return (
    <span
      className={clsx(
        'ms-auto text-small tabular-nums',
        look === false
          ? 'hide-narrow font-normal text-faint'
          : `alarm tint font-medium text-status ${look}`,
      )}
      data-drawn={shown}
      aria-hidden
    />
  )
}

function MainNav(): JSX.Element {
  const servers = useServers()
  const alerts = servers.filter(waitsForUser).length
  const exposed = useApp(({ app }) => app?.tools.exposed ?? 0)
  const reviewCount = useApp(({ app }) => app?.tools.needsReview ?? 0)
  const apps = useApp(({ app }) => app?.agents.agents.length ?? 0)
  const isClosed = useApp(({ app }) => app?.agents.gateway.kind === 'failed')
  return (
    <nav className="flex flex-col gap-px" aria-label="Main">
      <NavLink place="home" spoken={alerts > 0 ? `Home, ${alerts} need attention` : 'Home'}>
        {alerts > 0 && <Count shown={alerts} look="is-error" />}
      </NavLink>
      <NavLink
        place="catalog"
        isHere={(path) => CATALOG_PLACES.some((start) => path.startsWith(start))}
      />
      <NavLink
        place="servers"
        spoken={`Servers, ${counted(servers.length, 'server')}`}
        isHere={(path) => path === '/servers' || path === '/logs'}
      >
        <Count shown={servers.length} />
      </NavLink>
      <NavLink
        place="tools"
        spoken={reviewCount > 0 ? `Tools, ${reviewCount} to review` : `Tools, ${exposed} for apps`}
      >
        <Count
          shown={reviewCount > 0 ? reviewCount : exposed}
          look={reviewCount > 0 && 'is-degraded'}
        />
      </NavLink>
      <NavLink
        place="apps"
        spoken={isClosed ? 'Apps, can’t connect' : `Apps, ${counted(apps, 'app')}`}
        isHere={(path) => path === '/apps' || path.startsWith('/apps/')}
      >
        <Count shown={isClosed ? '!' : apps} look={isClosed && 'is-error'} />
      </NavLink>
      <NavLink place="activity" />
      <NavLink place="settings" isHere={(path) => path.startsWith('/settings')} />
    </nav>
  )
}

/** Link to one server; navigation and changes of other servers do not render it again. */
const ServerLink = memo(function ServerLink(props: {
  readonly installationId: string
  readonly name: string
  readonly status: RunStatus['kind']
  readonly here: boolean
}): JSX.Element {
  const { installationId, name, status, here } = props
  const label = `${name}, ${STATUS_WORD[status]}`
  return (
    <RailTip name={label}>
      <Link
        href={`/servers/${installationId}`}
        className={`pick flex flex-none items-center gap-2 text-muted hover:bg-hover ${here ? 'font-medium' : 'font-normal'}`}
        aria-label={label}
        aria-current={here ? 'page' : undefined}
      >
        <StatusGlyph status={status} />
        <span className="hide-narrow truncate">{name}</span>
      </Link>
    </RailTip>
  )
})

function ServerNav(): JSX.Element {
  const [path] = useLocation()
  const servers = useServers()
  return (
    <nav
      className="nav-servers ring-room scroll flex min-h-0 flex-1 flex-col gap-px"
      aria-label="Your servers"
    >
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

/** Navigation, the status of every server, and where secrets are kept. */
export function Sidebar(): JSX.Element {
  const servers = useServers()
  return (
    <aside className="sidebar flex min-h-0 flex-col gap-3 px-2 pt-3 pb-2" aria-label="Sidebar">
      <div className="brand flex min-h-7 items-center gap-2 ps-2 pe-1 text-lead font-strong">
        <BrandMark />
        <span className="hide-narrow">Patchbay</span>
        <Steps />
      </div>
      <Jump />
      <MainNav />
      {servers.length > 0 ? (
        <>
          <div
            className="hide-narrow flex h-6 items-center px-2 text-small font-medium text-faint"
            aria-hidden
          >
            Your servers
          </div>
          <ServerNav />
        </>
      ) : (
        <div className="min-w-0 flex-1" />
      )}
      <GatewayNotice />
      <SecretStoreNotice />
    </aside>
  )
}

function BrandMark(): JSX.Element {
  return (
    <svg
      className="flex-none"
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

function Steps(): JSX.Element {
  // If the browser cannot tell, going back may be possible.
  const canGoBack = useSyncExternalStore(subscribe, () => list()?.canGoBack ?? true)
  const canGoForward = useSyncExternalStore(subscribe, () => list()?.canGoForward ?? true)
  return (
    <div className="hide-narrow ms-auto flex text-faint">
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

function Jump(): JSX.Element {
  const isMac = isMacKeyboard()
  return (
    <RailTip name="Search or run a command">
      <button
        type="button"
        className="jump bare flex w-full flex-none items-center gap-2 text-faint"
        aria-label="Search or run a command"
        aria-keyshortcuts={ariaKeys('palette', isMac)}
        onClick={() => showOverlay('palette')}
      >
        <Search className="icon icon-s" aria-hidden />
        <span className="hide-narrow min-w-0 flex-1">Search or run</span>
        {/* Rendered by the style sheet, so that screen readers read only the name. */}
        <span className="hide-narrow inline-flex items-center gap-1" aria-hidden>
          {capsFor('palette', isMac).map((key) => (
            <kbd key={key} className="kbd inline-flex items-center text-muted" data-drawn={key} />
          ))}
        </span>
      </button>
    </RailTip>
  )
}

/** The browser's history entries; not every browser has them (HTML standard, Navigation API). */
function list(): Navigation | undefined {
  return 'navigation' in window ? window.navigation : undefined
}

function subscribe(listener: () => void): () => void {
  const entries = list()
  entries?.addEventListener('currententrychange', listener)
  return () => entries?.removeEventListener('currententrychange', listener)
}
