import type { LucideIcon } from 'lucide-react'
import { House, Library, LockKeyhole, Server, Settings } from 'lucide-react'
import type { JSX, ReactElement, ReactNode } from 'react'
import { Link, useLocation } from 'wouter'

import type { SecretStoreState } from '../../src-shared/domain/app-state'
import { useApp, useServers } from '../stores/app-store'
import { BrandMark } from '../ui/brand-mark'
import { StatusGlyph } from '../ui/status-glyph'
import { needsAttention, STATUS_WORD } from '../ui/status-words'
import { Tooltip } from '../ui/tooltip'
import { useMediaQuery } from '../ui/use-media-query'

const RAIL = '(max-width: 1099px)'

/** In the rail the name of a thing is only in its tooltip and its spoken label. */
function RailTip({
  name,
  children,
}: {
  readonly name: string
  readonly children: ReactElement
}): JSX.Element {
  const isRail = useMediaQuery(RAIL)
  if (!isRail) return children
  return (
    <Tooltip content={name} side="right">
      {children}
    </Tooltip>
  )
}

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
      <Link href={href} aria-label={spoken} aria-current={here ? 'page' : undefined}>
        <Icon className="icon" aria-hidden />
        <span>{label}</span>
        {children}
      </Link>
    </RailTip>
  )
}

function counted(count: number, one: string, many: string): string {
  return count === 1 ? `1 ${one}` : `${count} ${many}`
}

function MainNav(): JSX.Element {
  const [path] = useLocation()
  const servers = useServers()
  const alerts = servers.filter(needsAttention).length
  return (
    <nav className="nav" aria-label="Main">
      <NavLink
        href="/"
        label="Home"
        spoken={alerts > 0 ? `Home, ${alerts} need attention` : 'Home'}
        icon={House}
        here={path === '/'}
      >
        {alerts > 0 && <span className="count is-alert" data-count={alerts} aria-hidden />}
      </NavLink>
      <NavLink
        href="/catalog"
        label="Catalog"
        icon={Library}
        here={['/catalog', '/setup', '/bundle', '/by-hand'].some((start) => path.startsWith(start))}
      />
      <NavLink
        href="/servers"
        label="Servers"
        spoken={`Servers, ${counted(servers.length, 'server', 'servers')}`}
        icon={Server}
        here={path === '/servers'}
      >
        <span className="count" data-count={servers.length} aria-hidden />
      </NavLink>
      <NavLink href="/settings" label="Settings" icon={Settings} here={path === '/settings'} />
    </nav>
  )
}

function ServerNav(): JSX.Element {
  const [path] = useLocation()
  const servers = useServers()
  return (
    <nav className="nav nav-servers" aria-label="Your servers">
      {servers.map(({ installationId, name, status }) => {
        const href = `/servers/${installationId}`
        const here = path === href || path.startsWith(`${href}/`)
        const spoken = `${name}, ${STATUS_WORD[status.kind]}`
        return (
          <RailTip key={installationId} name={spoken}>
            <Link href={href} aria-label={spoken} aria-current={here ? 'page' : undefined}>
              <StatusGlyph status={status.kind} />
              <span className="cut">{name}</span>
            </Link>
          </RailTip>
        )
      })}
    </nav>
  )
}

const SECRETS: Record<SecretStoreState['kind'], string> = {
  checking: 'Checking the keychain',
  keychain: 'Secrets in your keychain',
  memory: 'Secrets in memory only',
}

function SecretStoreLine(): JSX.Element | null {
  const kind = useApp((state) => state.app?.secretStore.kind)
  if (!kind) return null
  return (
    <RailTip name={SECRETS[kind]}>
      <Link href="/settings" className="endpoint" aria-label={SECRETS[kind]}>
        {kind === 'memory' ? (
          <StatusGlyph status="degraded" />
        ) : (
          <LockKeyhole className="icon icon-s faint" aria-hidden />
        )}
        <span className="grow cut">{SECRETS[kind]}</span>
      </Link>
    </RailTip>
  )
}

/** Where one can go, how every server is, and where secrets are kept. */
export function Sidebar(): JSX.Element {
  const servers = useServers()
  return (
    <aside className="sidebar" aria-label="Sidebar">
      <div className="brand">
        <BrandMark />
        <span>Patchbay</span>
      </div>
      <MainNav />
      {servers.length > 0 ? (
        <>
          <div className="nav-title" aria-hidden>
            Your servers
          </div>
          <ServerNav />
        </>
      ) : (
        <div className="grow" />
      )}
      <SecretStoreLine />
    </aside>
  )
}
